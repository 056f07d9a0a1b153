/* Threads of compiled sx programs (libsxprogram): those that the library starts. */
#ifndef SX_PROGRAM_THREAD_H
#define SX_PROGRAM_THREAD_H

#include "sx/trace.h"

#include <pthread.h>

#if defined(__cplusplus)
extern "C" {
#endif

/*
 * pthread_create, of a thread that is watched (fault.h): where its stack is used up the program ends
 * as it does on the main thread. 64 KiB at the upper end of the stack are kept for that; they are not touched before.
 * Returns an error number, 0: none.
 */
SX_TRACE_API int sx_thread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*entry)(void*),
                                  void* argument);

#if defined(__cplusplus)
}
#endif

#endif
