/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

/**
 * Time during which no statement of a process was executed.
 *
 * @param begin the time at which all threads had been suspended
 * @param end the time at which the process was about to be resumed
 */
record Suspension(long begin, long end) {

}
