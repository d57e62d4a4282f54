/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.Optional;
import java.util.Set;

import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.client.ObjectSelector;
import dev.informer.client.PartialObjectMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Source of the namespaces and of the objects in them that an informer watches, which
 * change while it runs. Thread-safe.
 */
abstract class Assignment {

	private volatile Runnable follower = () -> {
	};

	/**
	 * Start what determines the namespaces, unless it is started.
	 */
	void start() {
		// the application starts it
	}

	/**
	 * Return the current namespaces, the same instance until they change; {@code null} as
	 * long as they are unknown.
	 */
	abstract @Nullable Set<String> namespaces();

	/**
	 * Return the objects in the {@link #namespaces()} that were returned last;
	 * {@code null} for all. To be called by the same thread.
	 */
	@Nullable ObjectSelector selector() {
		return null;
	}

	/**
	 * Return the state of what determines the namespaces.
	 */
	abstract InformerState state();

	/**
	 * Return the permanent failure for which the namespaces remain unknown; {@code null}
	 * without one.
	 */
	@Nullable InformerFailure failure() {
		return null;
	}

	/**
	 * Return the time of the last response or event from the server; empty if there is
	 * none.
	 */
	Optional<Moment> lastActivity() {
		return Optional.empty();
	}

	/**
	 * Set the callback for changes of namespaces and failure. It does not wait, and may
	 * be called without a change.
	 */
	void follow(Runnable changed) {
		this.follower = changed;
	}

	/**
	 * Notify of a change of namespaces or failure.
	 */
	final void changed() {
		this.follower.run();
	}

	/**
	 * Return the informer whose cache determines the namespaces; empty if none does.
	 */
	Optional<SharedIndexInformer<PartialObjectMetadata>> informer() {
		return Optional.empty();
	}

	/**
	 * Follow what determines the namespaces no longer.
	 */
	abstract void close();

	/**
	 * Close what determines the namespaces as well, unless others follow it.
	 */
	void release() {
		close();
	}

}
