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
 *
 * @param <T> the type of the objects
 */
public sealed interface Delta<T> {

	/**
	 * Return the namespace of the reflector.
	 * @return the namespace, empty for all of them
	 */
	String namespace();

	/**
	 * Return the resource version that the namespace reaches with this delta.
	 * @return the resource version; empty when the delta does not come from the server
	 */
	String resourceVersion();

	/**
	 * Return the delta of a change that a watch has delivered.
	 * @param <T> the type of the objects
	 * @param namespace the namespace of the watch, empty for all of them
	 * @param change the change
	 * @param resourceVersion the resource version that the watch has reached with it
	 * @return the delta
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
	 * @param <T> the type of the objects
	 * @param namespace the namespace of the watch, empty for all of them
	 * @param change the change
	 * @param resourceVersion the resource version that the watch has reached with it
	 * @return the delta
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
	 * @param <T> the type of the objects
	 * @param namespace the namespace of the reflector, empty for all of them
	 * @param state the part of the identity of the object that could be read
	 * @param resourceVersion the resource version that the namespace has reached with it
	 * @return the delta
	 */
	static <T> Delta<T> ofUnreadable(String namespace, ObjectState state, String resourceVersion) {
		String key = state.key();
		return (key != null) ? new Unreadable<>(namespace, key, state, resourceVersion)
				: new Bookmark<>(namespace, resourceVersion);
	}

	/**
	 * Return the delta of a complete list.
	 * @param <T> the type of the objects
	 * @param namespace the namespace of the list, empty for all of them
	 * @param objects the objects
	 * @param undecodable the objects that exist but could not be decoded
	 * @param deleted the keys that a streaming list reported as deleted
	 * @param selector the listed objects; {@code null} for all
	 * @param resourceVersion the resource version of the list
	 * @param epoch the epoch of the list
	 * @return the delta
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
	 * @param unreadable the part of its identity that could be read
	 * @param uid the UID of the one before; {@code null} if it had none
	 * @return whether the one before is known to be deleted
	 */
	private static boolean isOther(ObjectState unreadable, @Nullable String uid) {
		return unreadable.uid() != null && !unreadable.uid().equals(uid);
	}

	/**
	 * An object that was added or modified.
	 *
	 * @param <T> the type of the object
	 * @param namespace the namespace of the watch
	 * @param key the key of the object
	 * @param object its current state
	 * @param resourceVersion the resource version that the namespace has reached
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
	 * @param <T> the type of the object
	 * @param namespace the namespace of the watch
	 * @param key the key of the object
	 * @param object its final state; {@code null} when that is unknown
	 * @param resourceVersion the resource version that the namespace has reached
	 */
	record Deleted<T>(String namespace, String key, @Nullable T object, String resourceVersion) implements Delta<T> {
	}

	/**
	 * The whole state of a namespace. It replaces every object of the namespace that the
	 * store has when the delta is applied; an object that {@link #isGone} is deleted with
	 * its final state unknown.
	 *
	 * @param <T> the type of the objects
	 * @param namespace the namespace, empty for all of them
	 * @param objects the objects by key
	 * @param retained the objects that exist but could not be decoded, by key
	 * @param deleted the keys of objects that are known to be deleted
	 * @param complete whether every other key is deleted, too; false when an object had
	 * no readable key
	 * @param selector the listed objects; {@code null} for all. Others may exist, and are
	 * deleted from the store because they are not watched
	 * @param resourceVersion the resource version of the state
	 * @param epoch the epoch that the state belongs to
	 */
	record ReplacedAll<T>(String namespace, Map<String, T> objects, Map<String, ObjectState> retained,
			Set<String> deleted, boolean complete, @Nullable ObjectSelector selector, String resourceVersion,
			long epoch) implements Delta<T> {

		/**
		 * Return whether an object of this namespace does not exist any more.
		 * @param key its key
		 * @param uid its UID; {@code null} if it has none
		 * @return whether it is known to be deleted
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
	 * @param <T> the type of the object
	 * @param namespace the namespace of the reflector
	 * @param key the key of the object
	 * @param state the part of its identity that could be read
	 * @param resourceVersion the resource version that the namespace has reached
	 */
	record Unreadable<T>(String namespace, String key, ObjectState state, String resourceVersion) implements Delta<T> {

		/**
		 * Return whether the object that had the name before is deleted.
		 * @param uid its UID; {@code null} if it had none
		 * @return whether it is known to be deleted
		 */
		public boolean replaces(@Nullable String uid) {
			return isOther(this.state, uid);
		}

	}

	/**
	 * A resource version that a namespace has reached without a change. It is queued
	 * behind the changes before it, so the store never claims a version too early.
	 *
	 * @param <T> the type of the objects
	 * @param namespace the namespace
	 * @param resourceVersion the resource version that the namespace has reached
	 */
	record Bookmark<T>(String namespace, String resourceVersion) implements Delta<T> {
	}

	/**
	 * The namespaces of the informer from now on. The objects of every other namespace
	 * are deleted from the store, with their final states unknown: no reflector follows
	 * them any more. No delta of another namespace comes after it.
	 *
	 * @param <T> the type of the objects
	 * @param namespaces the namespaces
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
	 * @param <T> the type of the objects
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
