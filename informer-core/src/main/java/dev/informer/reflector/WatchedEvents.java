/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.function.Consumer;

import dev.informer.cache.Delta;
import dev.informer.client.ObjectState;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Hands the events of a watch over, each together with the version that it reaches.
 * Confined to the thread of its reflector.
 */
final class WatchedEvents<T extends KubernetesObject> {

	private final ReflectorSettings settings;

	private final Consumer<Delta<T>> sink;

	private final ResourceVersionState versions;

	private final RollbackCheck<T> rollbackCheck;

	private final ReflectorStatus status;

	private final ReflectorControl control;

	/**
	 * Create an instance, whose events complete {@code rollbackCheck}.
	 */
	WatchedEvents(ReflectorSettings settings, Consumer<Delta<T>> sink, ResourceVersionState versions,
			RollbackCheck<T> rollbackCheck, ReflectorStatus status, ReflectorControl control) {
		this.settings = settings;
		this.sink = sink;
		this.versions = versions;
		this.rollbackCheck = rollbackCheck;
		this.status = status;
		this.control = control;
	}

	/**
	 * Hand an event over, and return whether it proves a rollback.
	 */
	boolean handOver(WatchEvent<T> event) {
		handle(event);
		// A flag that user code left would end the next read, and with it the watch.
		Thread.interrupted();
		return this.rollbackCheck.isRolledBackAfter(event);
	}

	private void handle(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Change<T> change) {
			reached(change.type(), change.state());
			this.sink.accept(Delta.of(this.settings.namespace(), change, this.versions.lastSync()));
		}
		else if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			this.versions.reached(bookmark.resourceVersion());
			this.sink.accept(new Delta.Bookmark<>(this.settings.namespace(), this.versions.lastSync()));
		}
		else if (event instanceof WatchEvent.Undecodable<T> broken) {
			reached(broken.type(), broken.state());
			if (broken.object().corrupted()) {
				this.control.corrupted();
			}
			this.status.undecodable(broken.object());
			this.sink.accept(Delta.of(this.settings.namespace(), broken, this.versions.lastSync()));
		}
		else if (event instanceof WatchEvent.Unwanted<T> unwanted) {
			reached(unwanted.type(), unwanted.state());
			this.sink.accept(new Delta.Bookmark<>(this.settings.namespace(), this.versions.lastSync()));
		}
	}

	private void reached(ChangeType type, ObjectState state) {
		// A watch from "" or "0" begins with synthetic ADDED events in arbitrary order:
		// their versions are those of the objects, and older than the watch itself.
		// https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-watch
		if (type != ChangeType.ADDED || !this.versions.isUnset()) {
			this.versions.changed(state);
		}
	}

}
