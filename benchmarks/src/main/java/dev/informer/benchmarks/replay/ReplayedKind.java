/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.IOException;

/**
 * Representation of the objects of a resource in one encoding. Thread-safe.
 */
interface ReplayedKind {

	/**
	 * Return the content type of lists.
	 */
	String listType();

	/**
	 * Return the content type of watches.
	 */
	String watchType();

	/**
	 * Write a list.
	 */
	void writeList(ReplayedPage page, BodyOutput out) throws IOException;

	/**
	 * Write an event of a watch.
	 */
	void writeEvent(EventType type, ObjectState object, BodyOutput out) throws IOException;

	/**
	 * Write the bookmark at the end of the initial events.
	 */
	void writeBookmark(long resourceVersion, BodyOutput out) throws IOException;

	/**
	 * Write the error that ends an expired watch.
	 */
	void writeExpired(BodyOutput out) throws IOException;

}
