/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.util.Objects;

import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import org.jspecify.annotations.Nullable;

/**
 * Lookup of the objects of a watch, which remembers the state of the last one that is not
 * wanted: its resource version counts. Confined to the thread that reads the watch.
 */
public final class ChangeLookup<T> implements ObjectLookup<T> {

	private final ObjectLookup<T> lookup;

	private @Nullable ObjectState unwanted;

	/**
	 * Create a lookup that uses another one to find the objects that are not wanted.
	 */
	public ChangeLookup(ObjectLookup<T> lookup) {
		this.lookup = lookup;
	}

	@Override
	public @Nullable Found<T> find(ObjectState state) {
		Found<T> found = this.lookup.find(state);
		if (found != null) {
			this.unwanted = state;
		}
		return found;
	}

	/**
	 * Return the event of a change. Its object was decoded with this lookup; {@code null}
	 * if it is not wanted.
	 */
	public WatchEvent<T> event(ChangeType type, @Nullable T object) {
		return (object != null) ? new WatchEvent.Change<>(type, object)
				: new WatchEvent.Unwanted<>(type, Objects.requireNonNull(this.unwanted));
	}

}
