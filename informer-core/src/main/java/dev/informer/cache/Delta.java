/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * One step on the way of the cache from one state of the server to the next: the only
 * form that a change has between the reflector and the store. Deltas of one namespace are
 * in the order of the server's changes.
 * <p>
 * The namespace of a delta is the one that its reflector lists and watches, and empty for
 * a reflector of all namespaces.
 * <p>
 * <b>Epochs.</b> Within one epoch, two states of an object with the same UID and the same
 * resource version are equal, so neither has to be decoded, transformed or compared
 * twice. A server that was restored from a backup gives resource versions out a second
 * time, for other states. A reflector that notices such a rollback, or is asked for a
 * relist, therefore starts a new epoch. The store enters it with the {@link ReplacedAll}
 * of that epoch; until then, and as long as a retained object of an earlier epoch is left
 * in the namespace, equal versions prove nothing.
 */
public sealed interface Delta<T> {

	/**
	 * Return the namespace of the reflector, empty for all of them.
	 */
	String namespace();

	/**
	 * Return the resource version that the namespace reaches with this delta, empty when
	 * the delta does not come from the server.
	 */
	String resourceVersion();

	/**
	 * Return the delta of a change that a watch has delivered.
	 */
	static <T extends KubernetesObject> Delta<T> of(String namespace, WatchEvent.Change<T> change,
			String resourceVersion) {
		String key = ObjectKey.of(change.object());
		return (change.type() == ChangeType.DELETED) ? new Deleted<>(namespace, key, change.object(), resourceVersion)
				: new Upserted<>(namespace, key, change.object(), resourceVersion,
						change.type() == ChangeType.MODIFIED);
	}

	/**
	 * Return the delta of a change whose object could not be decoded.
	 */
	static <T extends KubernetesObject> Delta<T> of(String namespace, WatchEvent.Undecodable<T> change,
			String resourceVersion) {
		String key = change.object().state().key();
		return (change.type() == ChangeType.DELETED && key != null)
				? new Deleted<>(namespace, key, null, resourceVersion)
				: ofUnreadable(namespace, change.object().state(), resourceVersion);
	}

	/**
	 * Return the delta of an object that exists but could not be decoded or transformed.
	 */
	static <T> Delta<T> ofUnreadable(String namespace, ObjectState state, String resourceVersion) {
		String key = state.key();
		return (key != null) ? new Unreadable<>(namespace, key, state, resourceVersion)
				: new Bookmark<>(namespace, resourceVersion);
	}

	/**
	 * Return the delta of a complete list. {@code deleted} has the keys that a streaming
	 * list reported as deleted; {@code selector} is {@code null} if all objects were
	 * listed.
	 */
	static <T extends KubernetesObject> ReplacedAll<T> ofList(String namespace, List<T> objects,
			List<UndecodableObject> undecodable, Set<String> deleted, @Nullable ObjectSelector selector,
			String resourceVersion, long epoch) {
		Map<String, T> byKey = new LinkedHashMap<>(objects.size() * 4 / 3 + 1);
		objects.forEach((object) -> byKey.put(ObjectKey.of(object), object));
		Map<String, ObjectState> retained = new HashMap<>();
		boolean complete = true;
		for (UndecodableObject object : undecodable) {
			String key = object.state().key();
			if (key != null) {
				retained.put(key, object.state());
			}
			else {
				complete = false;
			}
		}
		return new ReplacedAll<>(namespace, byKey, retained, deleted, complete, selector, resourceVersion, epoch);
	}

	/**
	 * Return whether an object that could not be read is not the one that had its name
	 * before.
	 * @param uid the UID of the one before; {@code null} if it had none
	 */
	private static boolean isOther(ObjectState unreadable, @Nullable String uid) {
		return unreadable.uid() != null && !unreadable.uid().equals(uid);
	}

	/**
	 * An object that was added or modified.
	 *
	 * @param modified whether the server reported that it existed before
	 */
	record Upserted<T>(String namespace, String key, T object, String resourceVersion,
			boolean modified) implements Delta<T> {

		/**
		 * Create the delta of an object that may be new.
		 */
		public Upserted(String namespace, String key, T object, String resourceVersion) {
			this(namespace, key, object, resourceVersion, false);
		}

	}

	/**
	 * An object that was deleted.
	 *
	 * @param object its final state; {@code null} when that is unknown
	 */
	record Deleted<T>(String namespace, String key, @Nullable T object, String resourceVersion) implements Delta<T> {
	}

	/**
	 * The whole state of a namespace. It replaces every object of the namespace that the
	 * store has when the delta is applied; an object that {@link #isGone} is deleted with
	 * its final state unknown.
	 *
	 * @param retained the objects that exist but could not be decoded, by key
	 * @param deleted the keys of objects that are known to be deleted
	 * @param complete whether every other key is deleted, too; false when an object had
	 * no readable key
	 * @param selector the listed objects; {@code null} for all. Others may exist, and are
	 * deleted from the store because they are not watched
	 */
	record ReplacedAll<T>(String namespace, Map<String, T> objects, Map<String, ObjectState> retained,
			Set<String> deleted, boolean complete, @Nullable ObjectSelector selector, String resourceVersion,
			long epoch) implements Delta<T> {

		/**
		 * Return whether an object of this namespace is known to be deleted. Its UID is
		 * {@code null} if it has none.
		 */
		public boolean isGone(String key, @Nullable String uid) {
			ObjectState unreadable = this.retained.get(key);
			if (unreadable != null) {
				return isOther(unreadable, uid);
			}
			return this.complete ? !this.objects.containsKey(key) : this.deleted.contains(key);
		}

	}

	/**
	 * An object that exists but could not be decoded or transformed. The cache keeps the
	 * last readable state of the same object; another one that had the name is deleted.
	 *
	 * @param state the part of its identity that could be read
	 */
	record Unreadable<T>(String namespace, String key, ObjectState state, String resourceVersion) implements Delta<T> {

		/**
		 * Return whether the object that had the name before is known to be deleted. Its
		 * UID is {@code null} if it had none.
		 */
		public boolean replaces(@Nullable String uid) {
			return isOther(this.state, uid);
		}

	}

	/**
	 * A resource version that a namespace has reached without a change. It is queued
	 * behind the changes before it, so the store never claims a version too early.
	 */
	record Bookmark<T>(String namespace, String resourceVersion) implements Delta<T> {
	}

	/**
	 * The namespaces of the informer from now on. The objects of every other namespace
	 * are deleted from the store, with their final states unknown: no reflector follows
	 * them any more. No delta of another namespace comes after it.
	 */
	record Assigned<T>(Set<String> namespaces) implements Delta<T> {

		@Override
		public String namespace() {
			return "";
		}

		@Override
		public String resourceVersion() {
			return "";
		}

	}

	/**
	 * A resync: every object of the store is delivered once more, as an update without a
	 * change.
	 *
	 * @param handlers the names of the handlers that are due
	 */
	record SyncAll<T>(Set<String> handlers) implements Delta<T> {

		@Override
		public String namespace() {
			return "";
		}

		@Override
		public String resourceVersion() {
			return "";
		}

	}

}
