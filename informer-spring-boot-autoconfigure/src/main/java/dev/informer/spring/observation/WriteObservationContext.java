/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import dev.informer.writer.ObjectWrite;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Context of the observation of a write.
 */
public class WriteObservationContext extends Observation.Context {

	private final ObjectWrite write;

	private volatile ObjectWrite.@Nullable Outcome outcome;

	/**
	 * Create a context.
	 * @param write the write
	 */
	public WriteObservationContext(ObjectWrite write) {
		this.write = write;
	}

	/**
	 * Return the write.
	 * @return the write
	 */
	public ObjectWrite getWrite() {
		return this.write;
	}

	/**
	 * Return the outcome of the write.
	 * @return the outcome; {@code null} while the write is running, and if it has failed
	 */
	public ObjectWrite.@Nullable Outcome getOutcome() {
		return this.outcome;
	}

	void complete(ObjectWrite.Outcome outcome) {
		this.outcome = outcome;
	}

}
