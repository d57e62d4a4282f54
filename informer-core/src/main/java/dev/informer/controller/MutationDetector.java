/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import com.google.gson.Gson;
import dev.informer.MutatedObjectException;
import dev.informer.MutationDetection;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.processor.KeyedEvent;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Detector of code that modifies cached objects, by comparing digests.
 * <p>
 * <b>Concurrency.</b> No lock, because a digest is computed by code of the user: adapters
 * and collections. An object is recorded before any other thread can see it; the thread
 * of the store and the threads that invoke handlers check it again.
 */
final class MutationDetector<T extends KubernetesObject> {

	private static final long CHECK_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private final Map<String, Recorded<T>> recordedByKey = new ConcurrentHashMap<>();

	private final MutationDetection mode;

	private final TimeSource time;

	private final Consumer<MutatedObjectException> findings;

	private volatile long checked;

	MutationDetector(MutationDetection mode, TimeSource time, Consumer<MutatedObjectException> findings) {
		this.mode = mode;
		this.time = time;
		this.findings = findings;
		this.checked = time.nanoTime();
	}

	/**
	 * Record the objects that are about to be stored.
	 */
	void record(List<KeyedEvent<T>> events) {
		if (this.mode == MutationDetection.OFF) {
			return;
		}
		for (KeyedEvent<T> keyed : events) {
			ResourceEvent<T> event = keyed.event();
			if (event.type() == ResourceEvent.Type.DELETED) {
				this.recordedByKey.remove(keyed.key());
			}
			else {
				this.recordedByKey.put(keyed.key(), new Recorded<>(event.object(), digest(event.object())));
			}
		}
	}

	/**
	 * Return the time until the next {@link #check()}, in nanoseconds.
	 */
	long nanosToCheck() {
		return (this.mode == MutationDetection.OFF) ? Long.MAX_VALUE
				: Math.max(0, CHECK_NANOS - (this.time.nanoTime() - this.checked));
	}

	/**
	 * Check all recorded objects, if the last check was long enough ago.
	 */
	void check() {
		if (nanosToCheck() > 0) {
			return;
		}
		this.checked = this.time.nanoTime();
		this.recordedByKey.forEach((key, recorded) -> {
			byte[] digest = digest(recorded.object());
			if (!Arrays.equals(digest, recorded.digest()) && replace(key, recorded, digest)) {
				this.findings.accept(new MutatedObjectException("The cached object " + UntrustedText.of(key)
						+ " was modified. It is shared with all readers and handlers: modify a copy of it instead."));
			}
		});
	}

	/**
	 * Return a handler that checks the objects of each event after the invocation.
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
					report(who, event);
				}
			}
		};
	}

	private void report(String who, ResourceEvent<T> event) {
		rebaseline(event.object());
		T previous = event.previous();
		if (previous != null) {
			rebaseline(previous);
		}
		MutatedObjectException finding = new MutatedObjectException(
				who + " (or another thread at the same time) modified an object of the event " + event.type() + " of "
						+ UntrustedText.of(ObjectKey.of(event.object()))
						+ ". It is shared with the cache and other handlers: modify a copy of it instead.");
		this.findings.accept(finding);
		if (this.mode == MutationDetection.FAIL) {
			throw finding;
		}
	}

	/**
	 * Record the current state of an object, so that it is not reported again.
	 */
	private void rebaseline(T object) {
		String key = ObjectKey.of(object);
		Recorded<T> recorded = this.recordedByKey.get(key);
		if (recorded != null && recorded.object() == object) {
			replace(key, recorded, digest(object));
		}
	}

	/**
	 * Replace a digest, unless it has been replaced since it was read.
	 */
	private boolean replace(String key, Recorded<T> expected, byte[] digest) {
		Recorded<T> next = new Recorded<>(expected.object(), digest);
		return this.recordedByKey.computeIfPresent(key,
				(any, current) -> (current == expected) ? next : current) == next;
	}

	private static byte[] digest(ResourceEvent<?> event) {
		KubernetesObject previous = event.previous();
		return (previous != null) ? digest(event.object(), previous) : digest(event.object());
	}

	/**
	 * Return the digest of some objects. An object that is modified during the call gets
	 * a digest unlike that of its former state. All objects that Gson cannot write have
	 * the same digest.
	 */
	private static byte[] digest(KubernetesObject... objects) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			for (KubernetesObject object : objects) {
				digest.update(json(object).getBytes(StandardCharsets.UTF_8));
			}
			return digest.digest();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
		// adapters are code of the user
		catch (Throwable ex) {
			return new byte[0];
		}
	}

	private static String json(KubernetesObject object) {
		Gson gson = JSON.getGson();
		return (object instanceof DynamicKubernetesObject dynamic) ? dynamic.getRaw().toString() : gson.toJson(object);
	}

	private record Recorded<T>(T object, byte[] digest) {
	}

}
