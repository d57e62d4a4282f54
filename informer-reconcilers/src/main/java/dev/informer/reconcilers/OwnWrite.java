/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.support.UntrustedText;
import dev.informer.work.FollowedCache;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Write of a call, and one informer of its reconciler whose cache has to reach it: the
 * version of the answer, and the end of the object if the answer says that it is gone.
 * For a deletion that waits for finalizers, which may be those of the caller, the version
 * has the mark.
 * <p>
 * The cache may never reach it: the answer was wrong, or etcd was restored. So it is void
 * as soon as the informer has another epoch, and after five seconds the cache only has to
 * be as new as a list, which began after the answer. A write without an answer has
 * nothing but that. With a generated name nothing tells whether the server will still
 * carry it out, so the list waits until it no longer can, unless the object appears.
 * <p>
 * <b>Concurrency.</b> Guarded by the lock of {@link WorkerThreads}, once its call is
 * over.
 */
final class OwnWrite implements KeyQueue.Hold {

	private static final ThreadLocal<@Nullable Call> CURRENT = new ThreadLocal<>();

	private static final long LOOK_UP_NANOS = Duration.ofSeconds(5).toNanos();

	private static final int MAX_LOOK_UP_FACTOR = 6;

	/** API servers end any request after a minute. */
	private static final long MAX_REQUEST_NANOS = Duration.ofSeconds(60).toNanos();

	private final SharedIndexInformer<?> informer;

	private final FollowedCache cache;

	private final ResourceType<?> type;

	/** What the answer says; without a version if there was none. */
	private final ObjectState state;

	/** Whether the write was the end of the object. */
	private final boolean gone;

	private final @Nullable Generated generated;

	private final long epoch;

	/** Whether the informer does not select the object. */
	private boolean hidden;

	/** Whether it is hidden, and was before. */
	private boolean absent;

	/** Whether the object of a create without an answer is cached, and exists. */
	private boolean confirmed;

	private @Nullable ListedObjects listed;

	private long listedEpoch;

	private @Nullable Long nextLookUp;

	/** Time from which on a list shows what became of the write. */
	private long provenSince;

	private int lookUps;

	private OwnWrite(SharedIndexInformer<?> informer, ResourceType<?> type, ObjectState state, boolean gone,
			@Nullable Generated generated) {
		this.informer = informer;
		this.cache = FollowedCache.of(informer);
		this.type = type;
		this.state = state;
		this.gone = gone;
		this.generated = generated;
		this.epoch = this.cache.epoch();
	}

	/**
	 * Begin to collect the writes of the current thread.
	 * @param informers those that the call reads
	 */
	static void begin(Collection<SharedIndexInformer<?>> informers) {
		CURRENT.set(new Call(informers));
	}

	/**
	 * Check the owners of what the current thread creates and applies from now on.
	 */
	static void check(WrittenOwners owners) {
		Call call = CURRENT.get();
		if (call != null) {
			call.owners = owners;
		}
	}

	/**
	 * Return the writes of the current thread since {@link #begin}.
	 */
	static List<OwnWrite> end() {
		Call call = CURRENT.get();
		CURRENT.remove();
		return (call != null) ? call.writes : List.of();
	}

	/**
	 * Note a write of the current thread. It may have removed the last finalizer of an
	 * object, which is gone then.
	 */
	static void written(ResourceType<?> type, KubernetesObject answer) {
		Call call = CURRENT.get();
		if (call == null) {
			return;
		}
		boolean marked = answer.getMetadata() != null && answer.getMetadata().getDeletionTimestamp() != null;
		boolean gone = marked && !isEnding(answer);
		ObjectState state = ObjectState.of(answer);
		for (SharedIndexInformer<?> informer : call.readers(type, state)) {
			OwnWrite write = new OwnWrite(informer, type, state, gone, null);
			write.hidden = !gone && Selection.excludes(informer.options(), answer);
			// one that was selected before leaves the cache
			write.absent = write.hidden && write.cached() == null;
			call.writes.add(write);
		}
	}

	/**
	 * Note that the current thread has created or applied an object.
	 */
	static void applied(ResourceType<?> type, KubernetesObject answer) {
		Call call = CURRENT.get();
		if (call != null && call.owners != null) {
			call.owners.written(type, answer);
		}
	}

	/**
	 * Note a deletion by the current thread. The answer is a status, or an object, which
	 * is gone as well unless it is marked and remains for the moment.
	 * @param read the state of the object as it was read
	 */
	static void deleted(ResourceType<?> type, ObjectState read, byte[] answer) {
		if (CURRENT.get() != null) {
			try {
				DynamicKubernetesObject object = new DynamicKubernetesObject(
						JsonParser.parseString(new String(answer, StandardCharsets.UTF_8)).getAsJsonObject());
				boolean marked = object.getMetadata() != null && isEnding(object);
				add(type, marked ? ObjectState.of(object) : read, !marked, null);
			}
			catch (RuntimeException ex) {
				add(type, read, true, null);
			}
		}
	}

	/**
	 * Return whether an object is marked as deleted and remains for the moment.
	 * Namespaces have finalizers in their spec as well.
	 */
	private static boolean isEnding(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		List<String> finalizers = metadata.getFinalizers();
		Long grace = metadata.getDeletionGracePeriodSeconds();
		return metadata.getDeletionTimestamp() != null && ((finalizers != null && !finalizers.isEmpty())
				|| (grace != null && grace > 0)
				|| (ObjectTree.find(object, "spec", "finalizers") instanceof JsonArray spec && !spec.isEmpty()));
	}

	/**
	 * Note that a write of the current thread is sent. Of one with a generated name, only
	 * what was cached before tells whether an object is the created one.
	 */
	static void sending(WriteTarget<?> target, byte[] body) {
		Call call = CURRENT.get();
		if (call != null) {
			call.sent = (target.name() == null) ? Generated.of(target, body, call) : null;
		}
	}

	/**
	 * Note that the server may carry out the write that was sent, but has not answered.
	 */
	static void unanswered(WriteTarget<?> target) {
		Call call = CURRENT.get();
		if (call != null) {
			add(target.type(), new ObjectState(target.namespace(), target.name(), null, null), false, call.sent);
		}
	}

	private static void add(ResourceType<?> type, ObjectState state, boolean gone, @Nullable Generated generated) {
		Call call = Objects.requireNonNull(CURRENT.get());
		for (SharedIndexInformer<?> informer : call.readers(type, state)) {
			call.writes.add(new OwnWrite(informer, type, state, gone, generated));
		}
	}

	private static boolean watches(SharedIndexInformer<?> informer, @Nullable String namespace) {
		Set<String> namespaces = informer.statesByNamespace().keySet();
		return namespace == null || namespaces.contains("") || namespaces.contains(namespace);
	}

	private static String uid(KubernetesObject object) {
		return String.valueOf(ObjectState.of(object).uid());
	}

	SharedIndexInformer<?> informer() {
		return this.informer;
	}

	FollowedCache cache() {
		return this.cache;
	}

	/**
	 * Return the namespace of the object, empty for a cluster-scoped one.
	 */
	String namespace() {
		return Objects.requireNonNullElse(this.state.namespace(), "");
	}

	/**
	 * Return the keys of the objects that may be the one, for a look-up that begins.
	 */
	Set<String> keys() {
		String key = this.state.key();
		if (key != null) {
			return Set.of(key);
		}
		return (this.generated != null) ? this.generated.look(this.informer) : Set.of();
	}

	/**
	 * Return whether calls do not see the object, because the informer does not select
	 * it.
	 */
	boolean isHidden() {
		return this.hidden;
	}

	@Override
	public Progress progress() {
		if (this.absent) {
			return Progress.REACHED;
		}
		if (isVoid() || isListed()) {
			return Progress.ENDED;
		}
		if (!hasArrived()) {
			return Progress.WAITING;
		}
		// without a trace of it there may be no event either
		return (this.gone || this.generated != null || isShown()) ? Progress.REACHED : Progress.ENDED;
	}

	/**
	 * Return whether the cache is as new as the last list, as far as the object goes.
	 */
	private boolean isListed() {
		ListedObjects current = this.listed;
		if (current == null) {
			return false;
		}
		if (this.cache.epoch() != this.listedEpoch) {
			this.listed = null;
			this.nextLookUp = this.provenSince;
			return false;
		}
		String key = this.state.key();
		if (key == null) {
			return current.isContainedIn(this.cache);
		}
		ObjectState found = current.find(key);
		KubernetesObject cached = cached();
		if (found != null && cached != null) {
			return ObjectState.of(cached).isSameAs(found) || current.isReachedBy(this.cache);
		}
		return (found == null && cached == null && isPast(current)) || current.isReachedBy(this.cache);
	}

	/**
	 * Return whether the cache cannot receive the object any more that a list does not
	 * have, at least not from this write.
	 */
	private boolean isPast(ListedObjects current) {
		String version = this.state.resourceVersion();
		return version == null || this.gone || isLost(version, current) || this.cache.hasReached(version, namespace());
	}

	/**
	 * A list that is before the answer, but began after it, is that of a restored etcd.
	 */
	private static boolean isLost(String version, ListedObjects current) {
		boolean ordered = version.equals(current.version()) || ListedObjects.isBefore(version, current.version());
		return !ordered;
	}

	private boolean hasArrived() {
		if (this.generated != null) {
			return this.confirmed;
		}
		String version = this.state.resourceVersion();
		if (version == null) {
			return false;
		}
		if (this.cache.hasReached(version, namespace())) {
			return !this.gone || !isCached();
		}
		// versions without an order
		KubernetesObject cached = cached();
		return !this.gone && cached != null && ObjectState.of(cached).isSameAs(this.state);
	}

	/**
	 * Return whether the versions of the cache say nothing about the write any more. What
	 * has no answer may still be carried out, in whatever history.
	 */
	boolean isVoid() {
		return (this.state.resourceVersion() != null && this.cache.epoch() != this.epoch)
				|| (this.informer.namespaceInformer().isPresent() && !watches(this.informer, this.state.namespace()));
	}

	/** A restore may have undone it, without an event. */
	private boolean isShown() {
		KubernetesObject cached = cached();
		return cached != null && isCached()
				&& !ListedObjects.isBefore(ObjectState.of(cached).resourceVersion(), this.state.resourceVersion());
	}

	private boolean isCached() {
		KubernetesObject cached = cached();
		return cached != null && uid(cached).equals(String.valueOf(this.state.uid()));
	}

	private @Nullable KubernetesObject cached() {
		String key = this.state.key();
		return (key != null && this.informer.hasSynced()) ? this.informer.lister().get(key).orElse(null) : null;
	}

	@Override
	public boolean isLookUpDue(long now) {
		Long next = this.nextLookUp;
		if (next == null) {
			long delay = (this.state.resourceVersion() != null) ? LOOK_UP_NANOS : 0;
			// while the server may carry it out, a list proves nothing
			next = now + ((this.state.name() != null) ? delay : MAX_REQUEST_NANOS);
			this.nextLookUp = next;
			this.provenSince = next;
		}
		return next - now <= 0 || (this.generated != null && this.generated.isNewlyFound(this.informer));
	}

	/**
	 * Note the result of a look-up that began after the answer.
	 * @param listed the result; {@code null} if it has failed
	 * @param epoch the epoch of the cache when it began
	 * @param began the time at which it began
	 */
	void lookedUp(@Nullable ListedObjects listed, long epoch, long began, long now) {
		boolean proof = began - this.provenSince >= 0;
		if (proof) {
			this.lookUps++;
			this.nextLookUp = now + Math.min(this.lookUps, MAX_LOOK_UP_FACTOR) * LOOK_UP_NANOS;
		}
		if (listed == null && this.generated != null) {
			this.generated.listed.clear();
		}
		if (listed != null) {
			this.listed = proof ? listed : this.listed;
			this.listedEpoch = proof ? epoch : this.listedEpoch;
			this.confirmed |= this.generated != null && this.generated.isListed(this.informer, listed);
		}
	}

	/**
	 * Return what is awaited, for a diagnosis.
	 */
	@Override
	public String toString() {
		String awaited = (this.state.resourceVersion() != null) ? "at version " + this.state.resourceVersion()
				: "without an answer";
		return object() + " " + (this.gone ? "to be deleted" : awaited) + " in informer '" + this.informer.name() + "'";
	}

	/**
	 * Return the object, for messages.
	 */
	String object() {
		return this.type.qualifiedName() + " "
				+ ((this.state.name() != null) ? UntrustedText.of(this.state.key()) : "with a generated name");
	}

	/**
	 * Call on the current thread.
	 */
	private static final class Call {

		/** Those that the call reads. */
		private final Collection<SharedIndexInformer<?>> informers;

		private final List<OwnWrite> writes = new ArrayList<>();

		private @Nullable WrittenOwners owners;

		/** The last write, if it creates an object with a generated name. */
		private @Nullable Generated sent;

		Call(Collection<SharedIndexInformer<?>> informers) {
			this.informers = informers;
		}

		private List<SharedIndexInformer<?>> readers(ResourceType<?> type, ObjectState state) {
			return this.informers.stream()
				.<SharedIndexInformer<?>>filter((informer) -> Selection.isOf(informer, type)
						&& watches(informer, state.namespace()) && !Selection.excludes(informer.options(), state))
				.toList();
		}

	}

	/**
	 * Create of an object with a generated name. Without an answer, the object is one
	 * with this prefix and owner that was not cached before, and is none of another
	 * write.
	 */
	private static final class Generated {

		private final WriteTarget<?> target;

		private final @Nullable String prefix;

		private final @Nullable String owner;

		private final List<OwnWrite> writes;

		/** UIDs of those that were cached before. */
		private final Set<String> known = new HashSet<>();

		/** UIDs of those that were looked up. */
		private final Set<String> listed = new HashSet<>();

		private Generated(WriteTarget<?> target, V1ObjectMeta metadata, List<OwnWrite> writes) {
			this.target = target;
			this.prefix = metadata.getGenerateName();
			List<V1OwnerReference> owners = Objects.requireNonNullElse(metadata.getOwnerReferences(), List.of());
			// of two such creates in one call, the object may be either
			boolean repeated = writes.stream()
				.anyMatch((write) -> write.generated != null && Objects.equals(write.generated.prefix, this.prefix));
			this.owner = (owners.isEmpty() || repeated) ? null : owners.get(owners.size() - 1).getUid();
			this.writes = writes;
		}

		static Generated of(WriteTarget<?> target, byte[] body, Call call) {
			V1ObjectMeta metadata = new DynamicKubernetesObject(
					JsonParser.parseString(new String(body, StandardCharsets.UTF_8)).getAsJsonObject())
				.getMetadata();
			Generated generated = new Generated(target, metadata, call.writes);
			call.readers(target.type(), new ObjectState(target.namespace(), null, null, null))
				.forEach((informer) -> generated.candidates(informer)
					.forEach((object) -> generated.known.add(uid(object))));
			return generated;
		}

		private List<? extends KubernetesObject> candidates(SharedIndexInformer<?> informer) {
			if (this.owner == null || !informer.hasSynced() || !informer.indices().containsKey(Lister.OWNER_INDEX)) {
				return List.of();
			}
			return informer.lister()
				.byIndex(Lister.OWNER_INDEX, this.owner)
				.stream()
				.filter((object) -> Objects.equals(this.prefix, object.getMetadata().getGenerateName())
						&& Objects.equals(this.target.namespace(), ObjectState.of(object).namespace()))
				.toList();
		}

		/**
		 * Return the UIDs of those that may be the created one, by key.
		 */
		private Map<String, String> found(SharedIndexInformer<?> informer) {
			Map<String, String> found = new HashMap<>();
			candidates(informer).forEach((object) -> {
				String uid = uid(object);
				if (!this.known.contains(uid)
						&& this.writes.stream().noneMatch((write) -> uid.equals(write.state.uid()))) {
					found.put(String.valueOf(ObjectState.of(object).key()), uid);
				}
			});
			return found;
		}

		private Set<String> look(SharedIndexInformer<?> informer) {
			Map<String, String> found = found(informer);
			this.listed.addAll(found.values());
			return found.keySet();
		}

		private boolean isNewlyFound(SharedIndexInformer<?> informer) {
			return !this.listed.containsAll(found(informer).values());
		}

		/**
		 * Return whether one exists. Another one that was deleted already may have been
		 * cached late.
		 */
		private boolean isListed(SharedIndexInformer<?> informer, ListedObjects objects) {
			return found(informer).entrySet().stream().anyMatch((entry) -> {
				ObjectState state = objects.find(entry.getKey());
				return state != null && entry.getValue().equals(state.uid());
			});
		}

	}

}
