/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.support.UntrustedText;
import dev.informer.work.FollowedCache;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
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

	private final @Nullable GeneratedObject generated;

	private final long epoch;

	/** Whether the informer does not select the object. */
	private boolean hidden;

	/** Whether the informer does not select the object, and did not before. */
	private boolean absent;

	/** Whether the object of a create without an answer is cached, and exists. */
	private boolean confirmed;

	private @Nullable ListedObjects listed;

	private long listedEpoch;

	private @Nullable Long nextLookUp;

	/** Time from which on a list shows what became of the write. */
	private long provenSince;

	private int lookUps;

	OwnWrite(SharedIndexInformer<?> informer, ResourceType<?> type, ObjectState state, boolean gone,
			@Nullable GeneratedObject generated) {
		this.informer = informer;
		this.cache = FollowedCache.of(informer);
		this.type = type;
		this.state = state;
		this.gone = gone;
		this.generated = generated;
		this.epoch = this.cache.epoch();
	}

	/**
	 * Create the hold for an object as it is now, or was when it ended.
	 */
	static OwnWrite of(SharedIndexInformer<?> informer, ResourceType<?> type, KubernetesObject object, boolean gone) {
		OwnWrite write = new OwnWrite(informer, type, ObjectState.of(object), gone, null);
		boolean excluded = Selection.excludes(informer.options(), object)
				|| !Selection.isIn(informer, write.state.namespace());
		write.hidden = excluded && !gone;
		// one that was selected before leaves the cache
		write.absent = excluded && write.cached() == null;
		return write;
	}

	/**
	 * Return whether this is a create with a generated name of a prefix.
	 */
	boolean isGenerated(@Nullable String prefix) {
		return this.generated != null && this.generated.hasPrefix(prefix);
	}

	@Nullable String uid() {
		return this.state.uid();
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
			// what has no answer has its retry, and an event if it was carried out
			return (this.state.resourceVersion() != null) ? Progress.ENDED : Progress.REACHED;
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
		// of what it does not select, the informer receives no version
		return version == null || this.gone || this.hidden || isLost(version, current)
				|| this.cache.hasReached(version, namespace());
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
				|| (this.informer.namespaceInformer().isPresent()
						&& !Selection.isIn(this.informer, this.state.namespace()));
	}

	/** A restore may have undone it, without an event. */
	private boolean isShown() {
		KubernetesObject cached = cached();
		return cached != null && isCached()
				&& !ListedObjects.isBefore(ObjectState.of(cached).resourceVersion(), this.state.resourceVersion());
	}

	private boolean isCached() {
		KubernetesObject cached = cached();
		return cached != null && String.valueOf(ObjectState.of(cached).uid()).equals(String.valueOf(this.state.uid()));
	}

	private @Nullable KubernetesObject cached() {
		String key = this.state.key();
		return (key != null) ? this.cache.find(key) : null;
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
			this.generated.notListed();
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

}
