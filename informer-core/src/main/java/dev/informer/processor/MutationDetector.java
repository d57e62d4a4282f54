/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import dev.informer.MutationDetection;
import dev.informer.ObjectCopy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.client.type.ValueType;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Detector of code that modifies cached objects, by comparing them with a copy.
 * <p>
 * <b>Concurrency.</b> No lock, because copies are made by code of the user: adapters,
 * constructors and collections. An object is recorded before any other thread can see it;
 * the thread of the store and the threads that invoke handlers check it again.
 */
public final class MutationDetector<T extends KubernetesObject> {

	private static final String ADVICE = "Objects are shared with the cache and all handlers, and equal parts with other "
			+ "objects: modify an ObjectCopy instead.";

	private static final long CHECK_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private final Map<String, Recorded<T>> recordedByKey = new ConcurrentHashMap<>();

	private final MutationDetection mode;

	private final TimeSource time;

	private final Consumer<IllegalStateException> findings;

	private volatile long checked;

	/**
	 * Create a detector, which passes what it finds to {@code findings}.
	 */
	public MutationDetector(MutationDetection mode, TimeSource time, Consumer<IllegalStateException> findings) {
		this.mode = mode;
		this.time = time;
		this.findings = findings;
		this.checked = time.nanoTime();
	}

	/**
	 * Record the objects that are about to be stored.
	 */
	public void record(List<KeyedEvent<T>> events) {
		if (this.mode == MutationDetection.OFF) {
			return;
		}
		for (KeyedEvent<T> keyed : events) {
			ResourceEvent<T> event = keyed.event();
			if (event.type() == ResourceEvent.Type.DELETED) {
				this.recordedByKey.remove(keyed.key());
			}
			else {
				this.recordedByKey.put(keyed.key(), new Recorded<>(event.object(), copy(event.object())));
			}
		}
	}

	/**
	 * Return the time until the next {@link #check()}, in nanoseconds.
	 */
	public long nanosToCheck() {
		return (this.mode == MutationDetection.OFF) ? Long.MAX_VALUE
				: Math.max(0, CHECK_NANOS - (this.time.nanoTime() - this.checked));
	}

	/**
	 * Check all recorded objects, if the last check was long enough ago. Objects that
	 * share the modified part are one finding.
	 */
	public void check() {
		if (nanosToCheck() > 0) {
			return;
		}
		this.checked = this.time.nanoTime();
		Map<String, List<String>> modified = new LinkedHashMap<>();
		this.recordedByKey.forEach((key, recorded) -> {
			String place = place(recorded.copy(), recorded.object());
			if (place != null && replace(key, recorded)) {
				modified.computeIfAbsent(place, (any) -> new ArrayList<>()).add(key);
			}
		});
		modified.forEach((place, keys) -> this.findings
			.accept(new IllegalStateException("The cached object " + UntrustedText.of(keys.get(0))
					+ ((keys.size() > 1) ? " and " + (keys.size() - 1) + " more were" : " was") + " modified" + place
					+ ". " + ADVICE)));
	}

	/**
	 * Return a handler that checks the objects of each event after the invocation.
	 */
	public ResourceEventHandler<T> guard(@Nullable String name, ResourceEventHandler<T> handler) {
		if (this.mode == MutationDetection.OFF) {
			return handler;
		}
		String who = "Handler " + ((name != null) ? "'" + name + "'" : handler.getClass().getName());
		return (event) -> {
			T previous = event.previous();
			T before = copy(event.object());
			T previousBefore = copy(previous);
			try {
				handler.handle(event);
			}
			finally {
				String place = place(before, event.object());
				String previousPlace = place(previousBefore, previous);
				if (place != null) {
					report(who, event.object(), place, event);
				}
				else if (previous != null && previousPlace != null) {
					report(who, previous, previousPlace, event);
				}
			}
		};
	}

	private void report(String who, T modified, String place, ResourceEvent<T> event) {
		IllegalStateException finding = new IllegalStateException(
				who + " (or another thread at the same time) modified an object of the event " + event.type() + " of "
						+ UntrustedText.of(ObjectKey.of(event.object())) + place + ". " + ADVICE);
		if (!isFound(modified)) {
			this.findings.accept(finding);
		}
		if (this.mode == MutationDetection.FAIL) {
			throw finding;
		}
	}

	/**
	 * Record the current state of an object, and return whether {@link #check()} has done
	 * so, and reported it, meanwhile.
	 */
	private boolean isFound(T object) {
		String key = ObjectKey.of(object);
		Recorded<T> recorded = this.recordedByKey.get(key);
		return recorded != null && recorded.object() == object
				&& (place(recorded.copy(), object) == null || !replace(key, recorded));
	}

	/**
	 * Replace a copy by one of the current state, unless it has been replaced since it
	 * was read.
	 */
	private boolean replace(String key, Recorded<T> expected) {
		Recorded<T> next = new Recorded<>(expected.object(), copy(expected.object()));
		return this.recordedByKey.computeIfPresent(key,
				(any, current) -> (current == expected) ? next : current) == next;
	}

	/**
	 * Return a copy of an object; {@code null} if code of the user throws.
	 */
	private static <T extends KubernetesObject> @Nullable T copy(@Nullable T object) {
		try {
			return (object != null) ? ObjectCopy.of(object) : null;
		}
		catch (Throwable ex) {
			return null;
		}
	}

	/**
	 * Return where an object differs from its copy, for messages; {@code null} if it does
	 * not, or could not be copied.
	 */
	private static @Nullable String place(@Nullable KubernetesObject copy, @Nullable KubernetesObject object) {
		if (copy == null) {
			return null;
		}
		try {
			String path = ValueType.difference(copy, object);
			return (path != null) ? " at " + UntrustedText.of(path) : null;
		}
		catch (Throwable ex) {
			return " where it cannot be compared any more";
		}
	}

	/**
	 * Object, and a copy of it as it was when it was stored.
	 */
	private record Recorded<T>(T object, @Nullable T copy) {
	}

}
