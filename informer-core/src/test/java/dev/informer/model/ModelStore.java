/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.testing.FakeEtcd.Change;
import dev.informer.testing.FakeEtcd.Item;
import dev.informer.testing.FakeSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Store of the informer in a {@link ModelRun}, compared with the server: at resource
 * version r it equals the server's state at r. Excepted are objects that cannot be
 * decoded or transformed at r, whose last stored state stays, and deleted objects whose
 * key in the deletion could not be read.
 */
final class ModelStore {

	static final String APP_INDEX = "app";

	private final SharedIndexInformer<V1Pod> informer;

	private final FakeSource source;

	private final ModelSettings settings;

	private final Trace trace;

	private Map<String, V1Pod> before = Map.of();

	private long versionBefore = 1;

	private Map<String, V1Pod> contentsHalted = Map.of();

	private String versionHalted = "";

	private int checks;

	ModelStore(SharedIndexInformer<V1Pod> informer, FakeSource source, ModelSettings settings, Trace trace) {
		this.informer = informer;
		this.source = source;
		this.settings = settings;
		this.trace = trace;
	}

	/**
	 * Return the objects in the store, by key.
	 */
	Map<String, V1Pod> contents() {
		Map<String, V1Pod> contents = new TreeMap<>();
		this.informer.lister().list().forEach((pod) -> contents.put(ObjectKey.of(pod), pod));
		return contents;
	}

	@Nullable V1Pod get(String key) {
		return contents().get(key);
	}

	boolean isComplete() {
		return !this.informer.lastSyncResourceVersion().isEmpty();
	}

	boolean rolledBack() {
		return this.source.etcd().rolledBack();
	}

	/**
	 * Return whether objects can leave the store and join it again while they exist.
	 */
	boolean isSelected() {
		return this.settings.selected();
	}

	/**
	 * Return whether the store has been at the state of an object.
	 */
	boolean hasPassed(V1Pod pod) {
		return rolledBack() || !isComplete() || this.settings.namespaces().size() > 1
				|| ModelPods.version(pod) <= Long.parseLong(this.informer.lastSyncResourceVersion());
	}

	/**
	 * Return whether the server has had an object in this state.
	 */
	boolean isFromServer(V1Pod pod) {
		boolean known = rolledBack() || this.source.etcd()
			.changesAfter(0)
			.stream()
			.anyMatch((change) -> ModelPods.isState(pod, change.item()));
		return known && (!this.settings.transform() || ModelPods.isTransformedOnce(pod));
	}

	/**
	 * Return whether the server has deleted an object in this state.
	 */
	boolean isFinalState(V1Pod pod) {
		return rolledBack() || this.source.etcd()
			.changesAfter(ModelPods.version(pod) - 1)
			.stream()
			.anyMatch((change) -> change.type() == ChangeType.DELETED && ModelPods.isState(pod, change.item()));
	}

	/**
	 * Compare the store with the server, when the thread of the store has halted.
	 */
	void checkHalted() {
		check();
		this.contentsHalted = contents();
		this.versionHalted = version();
	}

	/**
	 * Check, when a change is being delivered to handlers, that the store has changed
	 * since its thread halted. The versions of several namespaces are not all known, and
	 * after a backup the same versions may recur.
	 */
	void checkChanged() {
		boolean ambiguous = rolledBack() || this.settings.namespaces().size() > 1;
		this.trace.check(ambiguous || !version().equals(this.versionHalted) || !contents().equals(this.contentsHalted),
				"handlers receive a change that is not in the store");
		check();
	}

	/**
	 * Compare the store with the server's state at the version of the store.
	 */
	private void check() {
		if (!isComplete()) {
			return;
		}
		this.checks++;
		Map<String, V1Pod> contents = contents();
		long version = Long.parseLong(this.informer.lastSyncResourceVersion());
		if (isSelected()) {
			// a namespace that is joining or leaving is at any version, or has no objects
			checkIndex(contents);
			return;
		}
		if (this.settings.namespaces().isEmpty()) {
			check("", contents, this.source.etcd().everAt(version).stream().map((state) -> new Moment(version, state)));
		}
		// of several namespaces only the lowest version is known
		this.settings.namespaces()
			.forEach((namespace) -> check(namespace, contents, LongStream.rangeClosed(version, this.source.version())
				.mapToObj((later) -> new Moment(later, this.source.etcd().at(later)))));
		checkIndex(contents);
		this.before = contents;
		this.versionBefore = version;
	}

	private void check(String namespace, Map<String, V1Pod> contents, Stream<Moment> moments) {
		List<String> differences = new ArrayList<>();
		boolean right = moments.map((moment) -> difference(namespace, contents, moment))
			.peek(differences::add)
			.anyMatch(String::isEmpty);
		this.trace.check(right, "the store differs from the server at %s: %s", version(), differences);
	}

	private String difference(String namespace, Map<String, V1Pod> contents, Moment moment) {
		Map<String, V1Pod> unknown = new HashMap<>(contents);
		StringBuilder difference = new StringBuilder();
		moment.state().forEach((key, item) -> {
			V1Pod stored = unknown.remove(key);
			boolean right = ModelPods.isReadable(item, this.settings.transform()) ? ModelPods.isState(stored, item)
					: mayStay(key, stored, moment.version()) || mayBeReplaced(key, stored, item);
			if (isIn(namespace, key) && !right) {
				difference.append(ModelPods.text(stored)).append(" instead of ").append(item).append("; ");
			}
		});
		unknown.forEach((key, stored) -> {
			if (isIn(namespace, key) && !mayLinger(key, stored, moment.version())) {
				difference.append(ModelPods.text(stored)).append(" instead of nothing; ");
			}
		});
		return difference.toString();
	}

	private static boolean isIn(String namespace, String key) {
		return namespace.isEmpty() || key.startsWith(namespace + "/");
	}

	/**
	 * Return whether an undecodable object may be stored in this state: in that of the
	 * last check, or in one of those since.
	 */
	private boolean mayStay(String key, @Nullable V1Pod stored, long version) {
		if (stored == this.before.get(key) || rolledBack()) {
			return true;
		}
		return this.source.etcd()
			.changesAfter(this.versionBefore)
			.stream()
			.filter((change) -> change.item().key().equals(key) && change.item().version() <= version)
			.anyMatch((change) -> (stored != null)
					? change.type() != ChangeType.DELETED && ModelPods.isState(stored, change.item())
					: change.type() == ChangeType.DELETED);
	}

	/**
	 * Return whether an undecodable object may have removed another one from the store
	 * that had its name.
	 */
	private boolean mayBeReplaced(String key, @Nullable V1Pod stored, Item item) {
		V1Pod last = this.before.get(key);
		return stored == null && last != null && !item.uid().equals(last.getMetadata().getUid());
	}

	/**
	 * Return whether an object may be stored though it is deleted: the deletion could not
	 * be read, or the list had an item without a readable name.
	 */
	private boolean mayLinger(String key, V1Pod stored, long version) {
		if (stored != this.before.get(key) && !mayStay(key, stored, version)) {
			return false;
		}
		long gone = this.source.etcd()
			.changesAfter(0)
			.stream()
			.filter((change) -> isDeletionOf(key, change) && change.item().version() <= version)
			.mapToLong((change) -> change.item().version())
			.max()
			.orElse(1);
		return this.source.etcd().wasNameless(gone, version);
	}

	private static boolean isDeletionOf(String key, Change change) {
		return change.type() == ChangeType.DELETED && change.item().key().equals(key);
	}

	private void checkIndex(Map<String, V1Pod> contents) {
		Set<String> apps = contents.values().stream().map(ModelPods::app).collect(Collectors.toSet());
		this.trace.check(apps.equals(this.informer.lister().indexValues(APP_INDEX)), "the index has %s, not %s",
				this.informer.lister().indexValues(APP_INDEX), apps);
		for (String app : apps) {
			Set<String> indexed = this.informer.lister()
				.byIndex(APP_INDEX, app)
				.stream()
				.map(ModelPods::text)
				.collect(Collectors.toSet());
			Set<String> stored = contents.values()
				.stream()
				.filter((pod) -> ModelPods.app(pod).equals(app))
				.map(ModelPods::text)
				.collect(Collectors.toSet());
			this.trace.check(indexed.equals(stored), "the index has %s under %s, not %s", indexed, app, stored);
		}
	}

	/**
	 * Compare store and server, without exceptions, when all is at rest and decodable.
	 * @param current the objects of the server that belong into the store
	 */
	void checkEqual(Map<String, Item> current) {
		Map<String, V1Pod> contents = contents();
		current.forEach((key, item) -> this.trace.check(ModelPods.isState(contents.get(key), item),
				"the store has %s, the server has %s", ModelPods.text(contents.get(key)), item));
		this.trace.check(contents.keySet().equals(current.keySet()), "the store has %s, the server has %s",
				contents.keySet(), current.keySet());
	}

	int checks() {
		return this.checks;
	}

	@Override
	public String toString() {
		return this.informer.lastSyncResourceVersion() + " "
				+ contents().values().stream().map(ModelPods::text).toList();
	}

	String version() {
		return this.informer.lastSyncResourceVersion();
	}

	/**
	 * State of the server at a version.
	 */
	private record Moment(long version, Map<String, Item> state) {
	}

}
