/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.ArrayList;
import java.util.List;

import dev.informer.client.ListSink;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import org.jspecify.annotations.Nullable;

/**
 * Sink that collects the items, which share parts with the one before unless that is
 * disabled.
 */
public class CollectingSink<T> implements ListSink<T> {

	private final boolean shares;

	private final List<T> objects = new ArrayList<>();

	private final List<UndecodableObject> undecodable = new ArrayList<>();

	public CollectingSink() {
		this(true);
	}

	public CollectingSink(boolean shares) {
		this.shares = shares;
	}

	@Override
	public boolean shares() {
		return this.shares;
	}

	@Override
	public @Nullable T earlier(ObjectState state) {
		return (!this.shares || this.objects.isEmpty()) ? null : this.objects.get(this.objects.size() - 1);
	}

	@Override
	public void accept(T object) {
		this.objects.add(object);
	}

	@Override
	public void acceptUndecodable(UndecodableObject object) {
		this.undecodable.add(object);
	}

	public List<T> objects() {
		return this.objects;
	}

	public List<UndecodableObject> undecodable() {
		return this.undecodable;
	}

}
