package evidence

// schemaVersion is the user_version of a store that this program writes.
const schemaVersion = 1

// schema makes an empty store. Verdicts are the truth; what skills holds
// beside base_* is derived from them. Vectors belong to a reason, so a
// corrected verdict loses them.
const schema = `
CREATE TABLE skills (
  name TEXT PRIMARY KEY,
  file TEXT NOT NULL DEFAULT '',
  base_helpful INTEGER NOT NULL DEFAULT 0,
  base_harmful INTEGER NOT NULL DEFAULT 0,
  base_streak INTEGER NOT NULL DEFAULT 0,
  base_status TEXT NOT NULL DEFAULT 'active',
  base_helpful_contexts TEXT NOT NULL DEFAULT '[]',
  base_harmful_contexts TEXT NOT NULL DEFAULT '[]',
  restored_after INTEGER NOT NULL DEFAULT -1,
  helpful INTEGER NOT NULL DEFAULT 0,
  harmful INTEGER NOT NULL DEFAULT 0,
  neutral INTEGER NOT NULL DEFAULT 0,
  streak INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'active',
  helpful_contexts TEXT NOT NULL DEFAULT '[]',
  harmful_contexts TEXT NOT NULL DEFAULT '[]',
  last_session TEXT NOT NULL DEFAULT '',
  last_used_at TEXT NOT NULL DEFAULT '',
  last_updated TEXT NOT NULL DEFAULT '',
  stale INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE verdicts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  skill TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('HELPFUL','HARMFUL','NEUTRAL')),
  reason TEXT NOT NULL,
  session TEXT NOT NULL,
  host TEXT NOT NULL,
  turn TEXT NOT NULL,
  occurred_at TEXT NOT NULL,
  UNIQUE (skill, session, host, turn)
);
CREATE INDEX verdicts_by_session ON verdicts (session, host);
CREATE INDEX verdicts_by_time ON verdicts (occurred_at);
CREATE VIRTUAL TABLE reasons USING fts5 (reason, skill UNINDEXED, content='verdicts', content_rowid='id', tokenize='porter unicode61');
CREATE TRIGGER verdict_added AFTER INSERT ON verdicts BEGIN
  INSERT INTO reasons (rowid, reason, skill) VALUES (new.id, new.reason, new.skill);
END;
CREATE TRIGGER verdict_removed AFTER DELETE ON verdicts BEGIN
  INSERT INTO reasons (reasons, rowid, reason, skill) VALUES ('delete', old.id, old.reason, old.skill);
  DELETE FROM vectors WHERE verdict = old.id;
END;
CREATE TRIGGER verdict_changed AFTER UPDATE ON verdicts BEGIN
  INSERT INTO reasons (reasons, rowid, reason, skill) VALUES ('delete', old.id, old.reason, old.skill);
  INSERT INTO reasons (rowid, reason, skill) VALUES (new.id, new.reason, new.skill);
  DELETE FROM vectors WHERE verdict = old.id;
END;
CREATE TABLE vectors (
  verdict INTEGER NOT NULL,
  model TEXT NOT NULL,
  scale REAL NOT NULL,
  steps BLOB NOT NULL,
  merged INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (verdict, model)
) WITHOUT ROWID;
CREATE TABLE routes (
  session TEXT NOT NULL,
  host TEXT NOT NULL,
  skill TEXT NOT NULL,
  times INTEGER NOT NULL,
  routed_at TEXT NOT NULL,
  PRIMARY KEY (session, host, skill)
) WITHOUT ROWID;
CREATE INDEX routes_by_skill ON routes (skill, times);
CREATE TABLE suppressed (
  skill TEXT PRIMARY KEY,
  twin_of TEXT NOT NULL,
  cosine REAL NOT NULL
) WITHOUT ROWID;
`
