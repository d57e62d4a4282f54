/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Adds the number of seconds in the file CLOCK_SHIFT_FILE to the wall clock of a process that preloads this library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *shift;

__attribute__((constructor)) static void map_shift(void)
{
	const char *path = getenv("CLOCK_SHIFT_FILE");
	int file = (path != NULL) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (file >= 0) {
		void *memory = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
		shift = (memory != MAP_FAILED) ? memory : NULL;
		close(file);
	}
}

int clock_gettime(clockid_t clock, struct timespec *result)
{
	static int (*original)(clockid_t, struct timespec *);
	if (original == NULL) {
		original = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
	}
	int status = original(clock, result);
	if (status == 0 && clock == CLOCK_REALTIME && shift != NULL) {
		result->tv_sec += *shift;
	}
	return status;
}

int gettimeofday(struct timeval *result, void *zone)
{
	struct timespec now;
	int status = clock_gettime(CLOCK_REALTIME, &now);
	(void) zone;
	result->tv_sec = now.tv_sec;
	result->tv_usec = now.tv_nsec / 1000;
	return status;
}
