/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces that a test assigns to an informer. Thread-safe.
 */
public final class FakeAssignment extends Assignment {

	private final Moment began = TimeSource.SYSTEM.moment();

	private volatile InformerState state = new InformerState(Phase.WATCHING, this.began, null, null, null);

	private volatile @Nullable Set<String> namespaces;

	private volatile @Nullable InformerFailure failure;

	/**
	 * Set the namespaces.
	 */
	public void assign(String... current) {
		this.namespaces = new TreeSet<>(Set.of(current));
		changed();
	}

	/**
	 * Add a namespace, or remove it.
	 */
	public void flip(String namespace) {
		Set<String> current = this.namespaces;
		Set<String> next = (current != null) ? new TreeSet<>(current) : new TreeSet<>();
		if (!next.remove(namespace)) {
			next.add(namespace);
		}
		this.namespaces = next;
		changed();
	}

	/**
	 * Fail permanently.
	 */
	public void fail(InformerFailure permanent) {
		this.state = new InformerState(Phase.FAILED, this.began, permanent, this.began, null);
		this.failure = permanent;
		changed();
	}

	@Override
	@Nullable Set<String> namespaces() {
		return this.namespaces;
	}

	@Override
	InformerState state() {
		return this.state;
	}

	@Override
	@Nullable InformerFailure failure() {
		return this.failure;
	}

	@Override
	Optional<Moment> lastActivity() {
		return Optional.of(this.began);
	}

	@Override
	void close() {
		follow(() -> {
		});
	}

}
