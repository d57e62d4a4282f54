/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.ServerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Resource version that a reflector has reached, its epoch, whether the server still has
 * it, and the objects that it is a version of. Confined to the thread of its reflector.
 * <p>
 * <b>Epochs.</b> Within one epoch, an object with the same UID and resource version is
 * the same object in the same state, so that it is neither decoded nor compared. After a
 * rollback etcd assigns the same versions to other states: a new epoch begins.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions">Resource
 * versions</a>
 */
final class ResourceVersionState {

	/**
	 * Maximum number of changes that the next server has to repeat. Another one with
	 * other changes may have changed the same object at the same version, but hardly for
	 * all of them.
	 */
	private static final int MAX_CHANGES = 4;

	/** Empty before the first list. */
	private String lastSync = "";

	/**
	 * Whether the next list requests the most recent version, because a thread waits for
	 * it, or the server refused the last one: it was compacted (410) or has not been
	 * reached.
	 */
	private boolean mostRecent;

	/**
	 * Last changes that watches reported since the last list, the last one at the end.
	 */
	private final Deque<Reported> lastChanges = new ArrayDeque<>();

	private final LongSupplier epochs;

	/** Minimum version of the first list. */
	private final String first;

	private volatile long epoch;

	private @Nullable ObjectSelector selector;

	/**
	 * Create the state of a reflector that has not listed.
	 * @param epochs returns a new epoch. None is shared with another reflector: while a
	 * namespace leaves an informer and joins it again, no reflector follows it, and would
	 * notice a rollback
	 * @param returning whether an earlier reflector may have followed the namespace. Only
	 * the most recent version is certain not to be older than the last delivered states
	 */
	ResourceVersionState(LongSupplier epochs, boolean returning) {
		this.epochs = epochs;
		// "0" is any version: at a start the watch cache of the server answers, which
		// spares etcd when many clients start at once
		this.first = returning ? "" : "0";
		this.epoch = epochs.getAsLong();
	}

	/**
	 * Return the objects to list and watch; {@code null} for all.
	 */
	@Nullable ObjectSelector selector() {
		return this.selector;
	}

	void select(ObjectSelector selector) {
		this.selector = selector;
	}

	/**
	 * Return the version from which the next watch continues.
	 */
	String lastSync() {
		return this.lastSync;
	}

	/**
	 * Return whether the version is {@code ""} or {@code "0"}. A watch from there begins
	 * with synthetic ADDED events for the existing objects, in arbitrary order, and does
	 * not report what was deleted before.
	 * @see <a href=
	 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-watch">Semantics
	 * for watch</a>
	 */
	boolean isUnset() {
		return this.lastSync.isEmpty() || this.lastSync.equals("0");
	}

	/**
	 * Return the minimum version of the next list.
	 */
	String forList() {
		if (this.mostRecent) {
			// Only the most recent version is certain to exist.
			return "";
		}
		// Later lists must not be older than the cache, or it would go back in time.
		return this.lastSync.isEmpty() ? this.first : this.lastSync;
	}

	/**
	 * Let the next list request the most recent version.
	 */
	void requireMostRecent() {
		this.mostRecent = true;
	}

	/**
	 * Return the minimum version of the next streaming list.
	 * @see <a href=
	 * "https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/3157-watch-list">KEP-3157</a>
	 */
	String forStream() {
		// The watch cache answers the most recent version, too.
		return this.mostRecent ? "" : this.lastSync;
	}

	/**
	 * Record a refusal, if it says that the requested version does not exist: it is
	 * compacted (410 Expired or Gone), or larger than the current one. The latter is
	 * answered with a timeout, by a server that lags behind or was restored.
	 * @return whether it says so
	 */
	boolean refused(ServerStatus refusal) {
		boolean refused = refusal.isExpired() || refusal.isResourceVersionTooLarge();
		this.mostRecent |= refused;
		return refused;
	}

	/**
	 * Return the last changes that watches reported since the last list, in their order,
	 * at most four.
	 */
	List<Reported> lastChanges() {
		return List.copyOf(this.lastChanges);
	}

	/**
	 * Return the current epoch. May be called by any thread.
	 */
	long epoch() {
		return this.epoch;
	}

	/**
	 * Start a new epoch. Cached objects are no longer considered unchanged because UID
	 * and resource version match.
	 */
	void startNewEpoch() {
		this.epoch = this.epochs.getAsLong();
	}

	/**
	 * Compare a version that the server reported as its current one with the last one,
	 * and return whether the server was rolled back. A lower version means that etcd was
	 * restored from a backup, or that another server answered, which lags behind. The
	 * next list then requests the most recent version: the last one may not exist yet.
	 */
	boolean detectRollback(String current) {
		boolean rolledBack = ResourceVersions.isBefore(current, this.lastSync);
		if (rolledBack) {
			rolledBack();
		}
		return rolledBack;
	}

	/**
	 * Record that the server was rolled back.
	 */
	void rolledBack() {
		this.mostRecent = true;
		this.lastChanges.clear();
		startNewEpoch();
	}

	/**
	 * Record the state after a change that a watch reported.
	 */
	void changed(ObjectState state) {
		String version = state.resourceVersion();
		boolean identified = state.uid() != null && version != null && !version.isEmpty();
		if (!identified || isUnset()) {
			this.lastChanges.clear();
		}
		else {
			if (this.lastChanges.size() == MAX_CHANGES) {
				this.lastChanges.removeFirst();
			}
			this.lastChanges.addLast(new Reported(this.lastSync, state));
		}
		reached(version);
	}

	/**
	 * Record the version of an event, also if it is lower than the last one: versions are
	 * opaque, and the server decides about their order.
	 * @param resourceVersion the version; {@code null} if it could not be read
	 */
	void reached(@Nullable String resourceVersion) {
		if (resourceVersion != null && !resourceVersion.isEmpty()) {
			this.lastSync = resourceVersion;
		}
	}

	/**
	 * Record the version of a complete list.
	 */
	void replaced(String resourceVersion) {
		detectRollback(resourceVersion);
		this.lastSync = resourceVersion;
		this.lastChanges.clear();
		this.mostRecent = false;
	}

	/**
	 * Change that a watch reported.
	 *
	 * @param before the last version before it
	 * @param state the state after it
	 */
	record Reported(String before, ObjectState state) {
	}

}
