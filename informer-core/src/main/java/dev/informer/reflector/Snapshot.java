/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.ArrayList;
import java.util.List;

import dev.informer.client.KnownObjects;
import dev.informer.client.ListSink;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import org.jspecify.annotations.Nullable;

/**
 * Collects the items of a list. Not thread-safe.
 *
 * @param <T> the type of the objects
 */
final class Snapshot<T> implements ListSink<T> {

	private final List<T> objects = new ArrayList<>();

	private final List<UndecodableObject> undecodable = new ArrayList<>();

	private final KnownObjects<T> known;

	private boolean reused;

	/**
	 * Creates an empty snapshot.
	 * @param known finds what need not be decoded again
	 */
	Snapshot(KnownObjects<T> known) {
		this.known = known;
	}

	/**
	 * Creates an empty snapshot for which everything is decoded.
	 */
	Snapshot() {
		this(KnownObjects.none());
	}

	@Override
	public KnownObjects<T> knownObjects() {
		return this::find;
	}

	private @Nullable T find(ObjectState state) {
		T object = this.known.find(state);
		this.reused |= object != null;
		return object;
	}

	/**
	 * Whether there were objects that have not been decoded again.
	 */
	boolean isReused() {
		return this.reused;
	}

	@Override
	public void accept(T object) {
		this.objects.add(object);
	}

	@Override
	public void acceptUndecodable(UndecodableObject object) {
		this.undecodable.add(object);
	}

	List<T> objects() {
		return this.objects;
	}

	List<UndecodableObject> undecodable() {
		return this.undecodable;
	}

	Mark mark() {
		return new Mark(this.objects.size(), this.undecodable.size());
	}

	/**
	 * Forgets what came after a mark, because the page that brought it broke off.
	 */
	void rollback(Mark mark) {
		this.objects.subList(mark.objects(), this.objects.size()).clear();
		this.undecodable.subList(mark.undecodable(), this.undecodable.size()).clear();
	}

	void clear() {
		rollback(new Mark(0, 0));
	}

	/**
	 * How far a snapshot has come.
	 */
	record Mark(int objects, int undecodable) {
	}

}
