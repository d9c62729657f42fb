/* Queues of jobs, for one thread. */

#include "queue.h"
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define CHECKED(p) check(sizeof(p), p)

struct queue {
	job_t *first;
	queue_handler handler;
};

struct operations {
	int (*open)(const char *name);
	void (*close)(void);
};

static int check(size_t n, const void *p);
static void finish(void);
int later(int);

int queue_count = 0;
static const int limits[] = { 1, 2, MIN(3, 4) };
static int open_file(const char *name) { return check(1, name); }
static const struct operations file_operations = {
	.open = open_file,
	.close = finish,
};

/* Sees to it that there is something. */
static int check(size_t n, const void *p)
{
	return p != NULL && n > 0;
}

/// Opens a queue of at most `size` jobs.
queue *queue_open(size_t size, queue_handler handler)
{
	queue *q = malloc(MIN(size, QUEUE_SIZE));
	struct operations ops = file_operations;

	if (!CHECKED(q))
		return NULL;
	q->handler = handler;
	handler(q, q->first);
	ops.open("x");
	q->handler(q, NULL);
	finish();
	return q;
}

/* Pushes a job. */

int queue_push(queue *q, job_t *job)
{
	job_t *finish = q->first;
	finish->run(finish, NULL);
	return later(job->id);
}

static void finish(void) {}

char **names_of(const queue *q) { return 0; }

int (*handler_of(int which))(int) { return later; }

/* As it was once written. */
int add(a, b)
	int a;
	long b;
{
	return a + later(b);
}

#ifdef WINDOWS
int only_windows(void) { return 1; }
#elif defined(OTHER)
int only_other(void) { return 2; }
#else
int only_here(void) { return 3; }
#endif

COMMAND(reset) { queue_push(NULL, NULL); }

int main(int argc, char **argv)
{
	enum local { ONE } one = ONE;
	for (int i = 0; i < argc; i++)
		later(i);
	return add(one, 2);
}
