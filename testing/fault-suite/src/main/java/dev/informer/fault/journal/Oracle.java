/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Oracle that decides whether the events and the cache of a client were correct. It
 * replays each entry of a journal once and compares the results with the server. Not
 * thread-safe.
 */
public final class Oracle implements AutoCloseable {

	private static final int MAX_SHOWN = 5;

	private final JournalReader<Entry> journal;

	private final Map<String, HandlerReplay> replays = new TreeMap<>();

	private final Map<WatchedResource, Set<String>> handlersByResource;

	private long entries;

	/**
	 * Create an oracle.
	 */
	public Oracle(Path journal, Map<WatchedResource, Set<String>> handlersByResource) throws IOException {
		this.journal = new JournalReader<>(journal, Entry::parse);
		this.handlersByResource = handlersByResource;
		handlersByResource.values()
			.forEach((handlers) -> handlers.forEach((name) -> this.replays.put(name, new HandlerReplay(name))));
	}

	/**
	 * Allow older versions from here on: the data of the server were restored.
	 */
	public void allowRollback() {
		this.replays.values().forEach(HandlerReplay::allowRollback);
	}

	/**
	 * Replay the entries that were written since the last call.
	 */
	public void replay() throws IOException {
		for (Entry entry : this.journal.read()) {
			HandlerReplay replay = this.replays.get(entry.handler());
			if (replay == null) {
				throw new IllegalStateException("Unknown handler in the journal: " + entry.toLine());
			}
			replay.replay(entry);
			this.entries++;
		}
	}

	/**
	 * Return the number of entries so far.
	 */
	public long entries() {
		return this.entries;
	}

	/**
	 * Compare the cache and the replayed handlers with the server, while nothing changes.
	 */
	public List<Violation> differences(ObjectStates server, ObjectStates cache) {
		List<Violation> differences = new ArrayList<>();
		this.handlersByResource.forEach((resource, handlers) -> {
			Map<String, ObjectState> objects = server.of(resource);
			difference("cache differs", resource.plural(), objects, cache.of(resource), differences);
			for (String handler : handlers) {
				HandlerReplay replay = Objects.requireNonNull(this.replays.get(handler), handler);
				difference("handler differs", handler, objects, replay.result(), differences);
			}
		});
		return differences;
	}

	private static void difference(String kind, String subject, Map<String, ObjectState> expected,
			Map<String, ObjectState> actual, List<Violation> differences) {
		Set<String> keys = new TreeSet<>(expected.keySet());
		keys.addAll(actual.keySet());
		List<String> different = keys.stream()
			.filter((key) -> !Objects.equals(expected.get(key), actual.get(key)))
			.map((key) -> "%s is %s, at the server %s".formatted(key, actual.get(key), expected.get(key)))
			.toList();
		if (!different.isEmpty()) {
			String shown = String.join("; ", different.subList(0, Math.min(MAX_SHOWN, different.size())));
			differences.add(new Violation(kind,
					"%s in %d of %d objects: %s".formatted(subject, different.size(), expected.size(), shown)));
		}
	}

	/**
	 * Return the violations of order since the last call.
	 */
	public List<Violation> takeViolations() {
		return this.replays.values().stream().flatMap((replay) -> replay.takeViolations().stream()).toList();
	}

	@Override
	public void close() throws IOException {
		this.journal.close();
	}

}
