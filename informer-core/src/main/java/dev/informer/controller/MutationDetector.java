/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.informer.MutatedObjectException;
import dev.informer.MutationDetection;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.TimeSource;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Finds who changes objects of the store, by digests of what was stored.
 * <p>
 * <b>Concurrency.</b> The digests are guarded by this object's monitor. Objects are noted
 * before anybody else can see them; they are looked at again by the thread of the store
 * and by those that call handlers.
 *
 * @param <T> the type of the objects
 */
final class MutationDetector<T extends KubernetesObject> {

	private static final long CHECK_NANOS = Duration.ofSeconds(1).toNanos();

	private final Map<String, Noted<T>> notedByKey = new HashMap<>();

	private final MutationDetection mode;

	private final TimeSource time;

	private final Consumer<MutatedObjectException> findings;

	private long checked;

	/**
	 * Creates a detector.
	 * @param mode what to do
	 * @param time the time
	 * @param findings is told what was found
	 */
	MutationDetector(MutationDetection mode, TimeSource time, Consumer<MutatedObjectException> findings) {
		this.mode = mode;
		this.time = time;
		this.findings = findings;
		this.checked = time.nanoTime();
	}

	/**
	 * Notes what is about to be stored.
	 */
	synchronized void note(List<ResourceEvent<T>> events) {
		if (this.mode == MutationDetection.OFF) {
			return;
		}
		for (ResourceEvent<T> event : events) {
			String key = ObjectKey.of(event.object());
			if (event.type() == ResourceEvent.Type.DELETED) {
				this.notedByKey.remove(key);
			}
			else {
				this.notedByKey.put(key, new Noted<>(event.object(), Digest.of(event.object())));
			}
		}
	}

	/**
	 * How long until {@link #check()} has something to do.
	 */
	synchronized long nanosToCheck() {
		return (this.mode == MutationDetection.OFF) ? Long.MAX_VALUE
				: Math.max(0, CHECK_NANOS - (this.time.nanoTime() - this.checked));
	}

	/**
	 * Looks at everything that is stored, when it is time to.
	 */
	void check() {
		if (nanosToCheck() > 0) {
			return;
		}
		List<String> changed = new ArrayList<>();
		synchronized (this) {
			this.checked = this.time.nanoTime();
			this.notedByKey.replaceAll((key, noted) -> {
				byte[] digest = Digest.of(noted.object());
				if (Arrays.equals(digest, noted.digest())) {
					return noted;
				}
				changed.add(key);
				return new Noted<>(noted.object(), digest);
			});
		}
		changed.forEach((key) -> this.findings.accept(new MutatedObjectException("Somebody has changed the object "
				+ key + " in the local copy, which everybody shares: change a copy of it instead")));
	}

	/**
	 * A handler that is watched.
	 * @param name the name of the handler; {@code null} when it has none of its own
	 * @param handler the handler
	 */
	ResourceEventHandler<T> guard(@Nullable String name, ResourceEventHandler<T> handler) {
		if (this.mode == MutationDetection.OFF) {
			return handler;
		}
		String who = "Handler " + ((name != null) ? "'" + name + "'" : handler.getClass().getName());
		return (event) -> {
			byte[] before = digest(event);
			try {
				handler.handle(event);
			}
			finally {
				if (!Arrays.equals(before, digest(event))) {
					blame(who, event);
				}
			}
		};
	}

	private void blame(String who, ResourceEvent<T> event) {
		forgive(event.object());
		T previous = event.previous();
		if (previous != null) {
			forgive(previous);
		}
		MutatedObjectException finding = new MutatedObjectException(
				who + " (or another thread meanwhile) has " + "changed an object of the event " + event.type() + " of "
						+ ObjectKey.of(event.object()) + ", which everybody shares: change a copy of it instead");
		this.findings.accept(finding);
		if (this.mode == MutationDetection.FAIL) {
			throw finding;
		}
	}

	/**
	 * Takes an object as it is now, so that it is not found again.
	 */
	private synchronized void forgive(T object) {
		this.notedByKey.computeIfPresent(ObjectKey.of(object),
				(key, noted) -> (noted.object() == object) ? new Noted<>(object, Digest.of(object)) : noted);
	}

	private static byte[] digest(ResourceEvent<?> event) {
		KubernetesObject previous = event.previous();
		return (previous != null) ? Digest.of(event.object(), previous) : Digest.of(event.object());
	}

	private record Noted<T>(T object, byte[] digest) {
	}

}
