/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;

import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerState;

/**
 * Hears what a {@link Reflector} does. Called on its thread.
 */
public interface ReflectorListener {

	/**
	 * The state has changed.
	 * @param state the new state
	 */
	void stateChanged(InformerState state);

	/**
	 * A list has been read or has failed.
	 * @param mode how it was read
	 * @param time how long it took
	 * @param success whether it is complete
	 */
	void listed(ListMode mode, Duration time, boolean success);

	/**
	 * A watch has ended or could not be opened.
	 * @param reason why
	 */
	void watchEnded(WatchEnd reason);

	/**
	 * The state is about to be listed again.
	 * @param reason why
	 */
	void relisting(RelistReason reason);

	/**
	 * Something went wrong.
	 * @param failure what went wrong
	 */
	void failed(InformerFailure failure);

}
