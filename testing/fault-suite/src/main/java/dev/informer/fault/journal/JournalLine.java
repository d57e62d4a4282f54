/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

/**
 * Line of a journal.
 */
public interface JournalLine {

	/**
	 * Return the text of this line.
	 * @return the text without line break
	 */
	String toLine();

}
