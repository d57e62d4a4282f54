/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InvocationGate;
import org.jspecify.annotations.Nullable;

/**
 * Gate that is open, or closed for all or some names.
 */
final class TestGate implements InvocationGate {

	final Set<String> closed = Collections.synchronizedSet(new HashSet<>());

	final List<Follower> followers = new CopyOnWriteArrayList<>();

	final AtomicInteger begun = new AtomicInteger();

	volatile Runnable onBegin = () -> {
	};

	volatile int token = 7;

	volatile boolean open = true;

	@Override
	public boolean isOpen() {
		return this.open;
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
		return this.closed.contains(target.name()) ? Access.CLOSED : Access.OPEN;
	}

	@Override
	public boolean begin(Target target) {
		this.begun.incrementAndGet();
		this.onBegin.run();
		return true;
	}

	@Override
	public void end(Target target) {
		this.begun.decrementAndGet();
	}

	@Override
	public OptionalInt fencingToken() {
		return OptionalInt.of(this.token);
	}

	@Override
	public @Nullable String closedReason(@Nullable Target target) {
		return (!this.open || (target != null && access(target) == Access.CLOSED)) ? "closed" : null;
	}

	void change() {
		this.followers.forEach(Follower::changed);
	}

	void revoke() {
		this.followers.forEach((follower) -> follower.revoked((target) -> true, "lost its gate"));
	}

}
