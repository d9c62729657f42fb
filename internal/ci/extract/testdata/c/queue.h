/*
 * Copyright the authors.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stddef.h>
#include "list.h"

#ifdef __cplusplus
extern "C" {
namespace { class only_for_the_other_language; }
#endif

/* How many jobs fit. */
#define QUEUE_SIZE 64
#define QUEUE_EMPTY
#define QUEUE_EACH(job, queue) \
	for (job = queue_first(queue); job; job = queue_next(job))
#define QUEUE_API __attribute__((visibility("default")))

/** A job. It runs once. */
typedef struct job {
	int id;              /**< given by the queue */
	struct job *next, *prev;
	unsigned urgent : 1; // runs first
	void (*run)(struct job *, void *data);
	struct { int row, column; } at;
	union { long number; char *text; };
} job_t;

typedef struct queue queue;
typedef struct { size_t used; } queue_stats;
typedef void (*queue_handler)(queue *q, job_t *job);
typedef unsigned long queue_id, *queue_ids;
typedef enum { QUEUE_OPEN, QUEUE_CLOSED = 2 } queue_state;

enum order { FIRST_IN, LAST_IN };
enum { QUEUE_LOW = -1, QUEUE_HIGH = 1 };
union word { int i; float f; };
struct forward;

extern int queue_count;
extern const char *const queue_names[];

/* Opens a queue. */
QUEUE_API queue *queue_open(size_t size, queue_handler handler);
QUEUE_API int queue_push(queue *q, job_t *job);
int queue_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline int queue_is_empty(const queue_stats *s) { return s->used == 0; }

#ifdef __cplusplus
}
#endif
#endif
