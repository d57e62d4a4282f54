/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InvocationGate;
import org.jspecify.annotations.Nullable;

/**
 * {@link InvocationGate} that the test opens and closes for a part of the objects, which
 * follows from the first characters of their names.
 */
public final class FakeGate implements InvocationGate {

	private final List<Follower> followers = new CopyOnWriteArrayList<>();

	private final Set<Integer> open = ConcurrentHashMap.newKeySet();

	private final int parts;

	private volatile Runnable onAccess = () -> {
	};

	public FakeGate(int parts) {
		this.parts = parts;
	}

	private int partOf(String name) {
		return (name.charAt(0) - '0') % this.parts;
	}

	public void open(Integer... parts) {
		this.open.addAll(List.of(parts));
		this.followers.forEach(Follower::changed);
	}

	public void close(int part) {
		this.open.remove(part);
		this.followers.forEach(Follower::changed);
	}

	/**
	 * Close without a notification, as after a suspension of the process.
	 */
	public void expire(int part) {
		this.open.remove(part);
	}

	/**
	 * Close, and interrupt the running invocations.
	 */
	public void revoke(int part) {
		this.open.remove(part);
		this.followers
			.forEach((follower) -> follower.revoked((target) -> partOf(target.name()) == part, "was revoked"));
	}

	public boolean isOpen(String name) {
		return this.open.contains(partOf(name));
	}

	/**
	 * Run an action before each answer to {@link #access}.
	 */
	public void onAccess(Runnable action) {
		this.onAccess = action;
	}

	@Override
	public void follow(Follower follower) {
		this.followers.add(follower);
	}

	@Override
	public void unfollow(Follower follower) {
		this.followers.remove(follower);
	}

	@Override
	public Access access(Target target) {
		this.onAccess.run();
		return isOpen(target.name()) ? Access.OPEN : Access.CLOSED;
	}

	@Override
	public boolean begin(Target target) {
		return isOpen(target.name());
	}

	@Override
	public @Nullable String closedReason(@Nullable Target target) {
		return (target == null || isOpen(target.name())) ? null : "Closed by the test";
	}

	@Override
	public String toString() {
		return "fake";
	}

}
