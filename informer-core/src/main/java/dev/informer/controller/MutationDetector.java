/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
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
 * Detector of code that modifies cached objects, by comparing their JSON.
 * <p>
 * <b>Concurrency.</b> No lock, because JSON is written by code of the user: adapters and
 * collections. An object is recorded before any other thread can see it; the thread of
 * the store and the threads that invoke handlers check it again.
 */
final class MutationDetector<T extends KubernetesObject> {

	private static final String ADVICE = "Objects are shared with the cache and all handlers, and equal parts with other "
			+ "objects: modify an ObjectCopy instead.";

	private static final long CHECK_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private final Map<String, Recorded<T>> recordedByKey = new ConcurrentHashMap<>();

	private final MutationDetection mode;

	private final TimeSource time;

	private final Consumer<IllegalStateException> findings;

	private volatile long checked;

	MutationDetector(MutationDetection mode, TimeSource time, Consumer<IllegalStateException> findings) {
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
				this.recordedByKey.put(keyed.key(), new Recorded<>(event.object(), state(event.object())));
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
	 * Check all recorded objects, if the last check was long enough ago. Objects that
	 * share the modified part are one finding.
	 */
	void check() {
		if (nanosToCheck() > 0) {
			return;
		}
		this.checked = this.time.nanoTime();
		Map<String, List<String>> modified = new LinkedHashMap<>();
		this.recordedByKey.forEach((key, recorded) -> {
			String state = state(recorded.object());
			if (!state.equals(recorded.state()) && replace(key, recorded, state)) {
				modified.computeIfAbsent(place(recorded.state(), state), (place) -> new ArrayList<>()).add(key);
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
	ResourceEventHandler<T> guard(@Nullable String name, ResourceEventHandler<T> handler) {
		if (this.mode == MutationDetection.OFF) {
			return handler;
		}
		String who = "Handler " + ((name != null) ? "'" + name + "'" : handler.getClass().getName());
		return (event) -> {
			T previous = event.previous();
			String before = state(event.object());
			String previousBefore = state(previous);
			try {
				handler.handle(event);
			}
			finally {
				String place = place(before, state(event.object()));
				String previousPlace = place(previousBefore, state(previous));
				if (!place.isEmpty()) {
					report(who, event.object(), place, event);
				}
				else if (previous != null && !previousPlace.isEmpty()) {
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
		String state = state(object);
		return recorded != null && recorded.object() == object
				&& (state.equals(recorded.state()) || !replace(key, recorded, state));
	}

	/**
	 * Replace a state, unless it has been replaced since it was read.
	 */
	private boolean replace(String key, Recorded<T> expected, String state) {
		Recorded<T> next = new Recorded<>(expected.object(), state);
		return this.recordedByKey.computeIfPresent(key,
				(any, current) -> (current == expected) ? next : current) == next;
	}

	/**
	 * Return the JSON of an object. All objects that Gson cannot write have the same
	 * state.
	 */
	private static String state(@Nullable KubernetesObject object) {
		try {
			return (object instanceof DynamicKubernetesObject dynamic) ? dynamic.getRaw().toString()
					: JSON.getGson().toJson(object);
		}
		// adapters are code of the user
		catch (Throwable ex) {
			return "";
		}
	}

	/**
	 * Return where two states differ, for messages; empty if they do not.
	 */
	private static String place(String before, String after) {
		if (before.equals(after)) {
			return "";
		}
		try {
			String path = path(JsonParser.parseString(before), JsonParser.parseString(after));
			return " at " + UntrustedText.of(path.startsWith(".") ? path.substring(1) : path);
		}
		catch (JsonParseException ex) {
			return " where it cannot be written as JSON";
		}
	}

	/**
	 * Return the path of the first property or element that differs.
	 */
	private static String path(@Nullable JsonElement before, @Nullable JsonElement after) {
		if (before instanceof JsonObject one && after instanceof JsonObject other) {
			Set<String> names = new LinkedHashSet<>(one.keySet());
			names.addAll(other.keySet());
			return names.stream()
				.filter((name) -> !Objects.equals(one.get(name), other.get(name)))
				.findFirst()
				.map((name) -> "." + name + path(one.get(name), other.get(name)))
				.orElse("");
		}
		if (before instanceof JsonArray one && after instanceof JsonArray other && one.size() == other.size()) {
			return IntStream.range(0, one.size())
				.filter((index) -> !one.get(index).equals(other.get(index)))
				.mapToObj((index) -> "[" + index + "]" + path(one.get(index), other.get(index)))
				.findFirst()
				.orElse("");
		}
		return "";
	}

	private record Recorded<T>(T object, String state) {
	}

}
