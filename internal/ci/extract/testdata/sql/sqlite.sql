PRAGMA foreign_keys = ON;
CREATE TABLE [log entries] (at TEXT, line TEXT) WITHOUT ROWID;
CREATE TEMP TABLE scratch AS SELECT * FROM [log entries];
CREATE VIRTUAL TABLE found USING fts5(line);
CREATE TRIGGER IF NOT EXISTS keep_short AFTER INSERT ON [log entries]
BEGIN
  DELETE FROM [log entries] WHERE at < '2000';
  INSERT INTO found VALUES (new.line);
END;
CREATE INDEX main.by_time ON [log entries] (at)
