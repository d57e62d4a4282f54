/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.support.Arguments;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces that match the namespace selector of an informer: those in the cache of an
 * informer of namespaces, once that has synced in its current run.
 * <p>
 * <b>Concurrency.</b> {@code stale} is set by the threads of the informer of namespaces;
 * the names are read by one thread.
 */
final class NamespaceAssignment extends Assignment {

	private final DefaultSharedIndexInformer<PartialObjectMetadata> informer;

	private final Runnable follower = this::cacheChanged;

	private final Consumer<DefaultSharedIndexInformer<PartialObjectMetadata>> released;

	private volatile boolean stale = true;

	private Set<String> names = Set.of();

	/**
	 * Create an assignment, which is to be closed.
	 * @param released called with the informer when the assignment is released
	 */
	NamespaceAssignment(DefaultSharedIndexInformer<PartialObjectMetadata> informer,
			Consumer<DefaultSharedIndexInformer<PartialObjectMetadata>> released) {
		this.informer = informer;
		this.released = released;
		informer.follow(this.follower);
	}

	@Override
	Optional<SharedIndexInformer<PartialObjectMetadata>> informer() {
		return Optional.of(this.informer);
	}

	private void cacheChanged() {
		// first, so that a thread that is woken reads the cache again
		this.stale = true;
		changed();
	}

	@Override
	void start() {
		this.informer.start();
	}

	@Override
	@Nullable Set<String> namespaces() {
		if (!this.informer.hasSyncedInRun()) {
			return null;
		}
		if (this.stale) {
			this.stale = false;
			Set<String> current = this.informer.lister()
				.list()
				.stream()
				.map(PartialObjectMetadata::getMetadata)
				.map(V1ObjectMeta::getName)
				.filter(Arguments::isNamespace)
				.collect(Collectors.toCollection(TreeSet::new));
			if (!current.equals(this.names)) {
				this.names = current;
			}
		}
		return this.names;
	}

	@Override
	InformerState state() {
		return this.informer.state();
	}

	@Override
	@Nullable InformerFailure failure() {
		return this.informer.failure();
	}

	@Override
	Optional<Moment> lastActivity() {
		return this.informer.lastActivity();
	}

	@Override
	void close() {
		this.informer.unfollow(this.follower);
	}

	@Override
	void release() {
		close();
		this.released.accept(this.informer);
	}

}
