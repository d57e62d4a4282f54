/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.informer.InformerFactory;
import dev.informer.InformerOptions;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.support.UntrustedText;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Write of a call, and one informer whose cache has to reach it: the version of the
 * answer, and the end of the object if the answer says that it is gone. For a deletion
 * that waits for finalizers, which may be those of the caller, the version has the mark.
 * <p>
 * The cache may never reach it, because the informer does not select the object. After
 * five seconds a list with the selectors of the informer decides. It also finds out what
 * became of a write without an answer.
 * <p>
 * <b>Concurrency.</b> {@link #isReached} and {@link #isProbeDue} are guarded by the lock
 * of {@link WorkerThreads}; {@link #probe} runs without it, while the key is not taken by
 * others.
 */
final class OwnWrite implements KeyQueue.Hold {

	private static final ThreadLocal<@Nullable List<OwnWrite>> CURRENT = new ThreadLocal<>();

	private static final long PROBE_NANOS = Duration.ofSeconds(5).toNanos();

	private static final int MAX_PROBE_FACTOR = 6;

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final Set<Phase> NOT_RUNNING = Set.of(Phase.NOT_STARTED, Phase.STOPPED);

	private final InformerFactory factory;

	private final SharedIndexInformer<?> informer;

	private final ResourceType<?> type;

	/** Whether the write was the end of the object. */
	private final boolean gone;

	/** What the cache is to reach; without a version if that is not known. */
	private volatile ObjectState state;

	private volatile boolean settled;

	private @Nullable Long nextProbe;

	private int probes;

	private OwnWrite(InformerFactory factory, SharedIndexInformer<?> informer, ResourceType<?> type, ObjectState state,
			boolean gone) {
		this.factory = factory;
		this.informer = informer;
		this.type = type;
		this.state = state;
		this.gone = gone;
	}

	/**
	 * Begin to collect the writes of the current thread.
	 */
	static void begin() {
		CURRENT.set(new ArrayList<>());
	}

	/**
	 * Return the writes of the current thread since {@link #begin}.
	 */
	static List<OwnWrite> end() {
		List<OwnWrite> writes = CURRENT.get();
		CURRENT.remove();
		return (writes != null) ? writes : List.of();
	}

	/**
	 * Note a write of the current thread. It may have removed the last finalizer of an
	 * object, which is gone then.
	 */
	static void written(InformerFactory factory, ResourceType<?> type, KubernetesObject answer) {
		V1ObjectMeta metadata = answer.getMetadata();
		boolean gone = metadata != null && metadata.getDeletionTimestamp() != null && !isEnding(metadata);
		add(factory, type, ObjectState.of(answer), gone);
	}

	/**
	 * Note a deletion by the current thread. The answer is a status, or an object, which
	 * is gone as well unless it is marked and remains for the moment.
	 * @param read the state of the object as it was read
	 */
	static void deleted(InformerFactory factory, ResourceType<?> type, ObjectState read, byte[] answer) {
		if (CURRENT.get() != null) {
			try {
				DynamicKubernetesObject object = new DynamicKubernetesObject(
						JsonParser.parseString(new String(answer, StandardCharsets.UTF_8)).getAsJsonObject());
				V1ObjectMeta metadata = object.getMetadata();
				boolean marked = metadata != null && isEnding(metadata);
				add(factory, type, marked ? ObjectState.of(object) : read, !marked);
			}
			catch (JsonParseException | IllegalStateException | DateTimeException ex) {
				add(factory, type, read, true);
			}
		}
	}

	private static boolean isEnding(V1ObjectMeta metadata) {
		List<String> finalizers = metadata.getFinalizers();
		Long grace = metadata.getDeletionGracePeriodSeconds();
		return metadata.getDeletionTimestamp() != null
				&& ((finalizers != null && !finalizers.isEmpty()) || (grace != null && grace > 0));
	}

	/**
	 * Note a write of the current thread that the server may carry out.
	 */
	static void unanswered(InformerFactory factory, WriteTarget<?> target) {
		add(factory, target.type(), new ObjectState(target.namespace(), target.name(), null, null), false);
	}

	private static void add(InformerFactory factory, ResourceType<?> type, ObjectState state, boolean gone) {
		List<OwnWrite> writes = CURRENT.get();
		if (writes == null) {
			return;
		}
		for (SharedIndexInformer<?> informer : factory.informers()) {
			ResourceType<?> cached = informer.resourceType();
			if (cached.plural().equals(type.plural()) && cached.group().equals(type.group())
					&& !NOT_RUNNING.contains(informer.state().phase()) && watches(informer, state.namespace())) {
				writes.add(new OwnWrite(factory, informer, type, state, gone));
			}
		}
	}

	private static boolean watches(SharedIndexInformer<?> informer, @Nullable String namespace) {
		Set<String> namespaces = informer.statesByNamespace().keySet();
		return namespace == null || namespaces.contains("") || namespaces.contains(namespace);
	}

	SharedIndexInformer<?> informer() {
		return this.informer;
	}

	@Override
	public boolean isReached() {
		if (this.settled) {
			return true;
		}
		try {
			return this.state.resourceVersion() != null && hasVersion() && (!this.gone || isGone());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		// versions without an order: the same state, or a probe that finds it
		catch (IllegalArgumentException ex) {
			KubernetesObject cached = cached();
			return cached != null && ObjectState.of(cached).isSameAs(this.state);
		}
		catch (IllegalStateException ex) {
			return false;
		}
	}

	@SuppressWarnings("unchecked")
	private boolean hasVersion() throws InterruptedException {
		// only its metadata is used
		KubernetesObject written = new PartialObjectMetadata(
				new V1ObjectMeta().namespace(this.state.namespace()).resourceVersion(this.state.resourceVersion()));
		return ((SharedIndexInformer<KubernetesObject>) this.informer).awaitAtLeast(written, Duration.ZERO);
	}

	private boolean isGone() {
		KubernetesObject cached = cached();
		return cached == null || !String.valueOf(this.state.uid()).equals(ObjectState.of(cached).uid());
	}

	private @Nullable KubernetesObject cached() {
		String key = this.state.key();
		return (key != null) ? this.informer.lister().get(key).orElse(null) : null;
	}

	@Override
	public boolean isProbeDue(long now) {
		Long next = this.nextProbe;
		if (next == null) {
			// at once if there is no other way to know
			next = (this.state.resourceVersion() != null) ? now + PROBE_NANOS : now;
			this.nextProbe = next;
		}
		return next - now <= 0;
	}

	/**
	 * Look at the server whether the informer selects the object. Blocks.
	 * @return the object that exists, but that the informer does not select; {@code null}
	 * for none
	 */
	@Nullable String probe(long now) throws IOException {
		this.probes++;
		this.nextProbe = now + Math.min(this.probes, MAX_PROBE_FACTOR) * PROBE_NANOS;
		if (!this.factory.informers().contains(this.informer) || !watches(this.informer, this.state.namespace())) {
			this.settled = true;
			return null;
		}
		JsonObject list = list(true);
		JsonArray items = items(list);
		if (this.state.name() == null) {
			awaitList(ObjectState.of(list.get("metadata")).resourceVersion());
		}
		else if (items.isEmpty() || isExcluded(ObjectState.of(metadata(items)))) {
			// not selected, or gone: the cache loses it, or never gets it
			this.settled = cached() == null;
			boolean hidden = this.settled && items.isEmpty() && !items(list(false)).isEmpty();
			return hidden ? object() + ", which informer '" + this.informer.name() + "' does not select" : null;
		}
		else if (this.state.resourceVersion() == null) {
			this.state = ObjectState.of(metadata(items));
		}
		else {
			KubernetesObject cached = cached();
			this.settled = !this.gone && cached != null
					&& ObjectState.of(cached).isSameAs(ObjectState.of(metadata(items)));
		}
		return null;
	}

	/**
	 * Await the version of a list after a create of a generated name without an answer.
	 * The second list is late enough for it. Later ones would only raise the version,
	 * which the cache reaches by a bookmark, unless etcd was restored.
	 */
	private void awaitList(@Nullable String version) {
		String awaited = this.state.resourceVersion();
		if (version != null && (awaited == null || this.probes <= 2 || isBefore(version, awaited))) {
			this.state = new ObjectState(this.state.namespace(), null, null, version);
		}
	}

	private static boolean isBefore(String version, String other) {
		return (version.length() != other.length()) ? version.length() < other.length() : version.compareTo(other) < 0;
	}

	/**
	 * Return the items, which a server may leave out if there are none.
	 */
	private static JsonArray items(JsonObject list) throws IOException {
		JsonElement items = list.get("items");
		if (items != null && !items.isJsonNull() && !items.isJsonArray()) {
			throw new IOException("The answer is not a list");
		}
		return (items instanceof JsonArray array) ? array : new JsonArray();
	}

	private static @Nullable JsonElement metadata(JsonArray items) {
		return (items.get(0) instanceof JsonObject item) ? item.get("metadata") : null;
	}

	private boolean isExcluded(ObjectState found) {
		ObjectSelector selector = selector();
		return selector != null && selector.excludes(found);
	}

	private @Nullable ObjectSelector selector() {
		InformerOptions options = this.informer.options();
		return (options.watchedSet() != null) ? options.watchedSet().selector() : null;
	}

	/**
	 * List the object, or all of them if its name is not known; with the selectors of the
	 * informer, or without.
	 */
	private JsonObject list(boolean selected) throws IOException {
		InformerOptions options = this.informer.options();
		List<String> fields = new ArrayList<>();
		if (this.state.name() != null) {
			fields.add("metadata.name=" + this.state.name());
		}
		if (selected && options.fieldSelector() != null) {
			fields.add(options.fieldSelector());
		}
		Map<String, String> query = new LinkedHashMap<>();
		ObjectSelector selector = selector();
		if (selected && selector != null) {
			query.putAll(selector.parameters());
		}
		if (!fields.isEmpty()) {
			query.merge("fieldSelector", String.join(",", fields), (one, other) -> one + "," + other);
		}
		if (selected && options.labelSelector() != null) {
			query.merge("labelSelector", options.labelSelector(), (one, other) -> one + "," + other);
		}
		query.put("limit", "1");
		byte[] answer = this.factory.connection()
			.send("GET", this.type.path(this.state.namespace()), query, null, null, true, TIMEOUT);
		try {
			return JsonParser.parseString(new String(answer, StandardCharsets.UTF_8)).getAsJsonObject();
		}
		catch (JsonParseException | IllegalStateException ex) {
			throw new IOException("The answer is not a list");
		}
	}

	/**
	 * Return what is awaited, for a diagnosis.
	 */
	@Override
	public String toString() {
		return object() + " " + (this.gone ? "to be deleted" : "at version " + this.state.resourceVersion())
				+ " in informer '" + this.informer.name() + "'";
	}

	private String object() {
		return this.type.qualifiedName() + " "
				+ ((this.state.name() != null) ? UntrustedText.of(this.state.key()) : "with a generated name");
	}

}
