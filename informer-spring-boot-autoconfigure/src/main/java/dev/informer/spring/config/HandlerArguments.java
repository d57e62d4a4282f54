/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import dev.informer.ResourceEvent;
import org.jspecify.annotations.Nullable;

/**
 * What a handler method takes.
 */
enum HandlerArguments {

	/** The event. */
	EVENT {

		@Override
		public @Nullable Object[] of(ResourceEvent<?> event) {
			return new Object[] { event };
		}

	},

	/** The object. */
	OBJECT {

		@Override
		public @Nullable Object[] of(ResourceEvent<?> event) {
			return new Object[] { event.object() };
		}

	},

	/** What the handler was told before, and the object. */
	PREVIOUS_AND_OBJECT {

		@Override
		public @Nullable Object[] of(ResourceEvent<?> event) {
			return new @Nullable Object[] { event.previous(), event.object() };
		}

	};

	/**
	 * Takes the arguments out of an event.
	 * @param event the event
	 * @return the arguments
	 */
	public abstract @Nullable Object[] of(ResourceEvent<?> event);

}
