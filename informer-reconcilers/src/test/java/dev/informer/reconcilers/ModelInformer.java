/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.informer.IndexFunction;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.ModelServer.Event;
import dev.informer.reconcilers.ModelServer.History;
import dev.informer.work.FollowedCache;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Model of an informer that follows a {@link ModelServer}, as late as the test wants.
 */
final class ModelInformer {

	private static final InformerOptions OPTIONS = InformerOptions.DEFAULT;

	private static final Map<String, InformerState> STATES = Map.of("",
			new InformerState(Phase.WATCHING, TimeSource.SYSTEM.moment(), null, null, null));

	private static final Map<String, IndexFunction<KubernetesObject>> INDICES = Map.of(Lister.OWNER_INDEX,
			(object) -> List.of());

	private final ModelServer server;

	private final ResourceType<?> type;

	private final String kind;

	/** Called in the middle of each list, after it was computed. */
	private final Listing listing;

	private final Map<String, KubernetesObject> objects = new TreeMap<>();

	private final SharedIndexInformer<?> informer;

	private final Lister<?> lister;

	private long version;

	private History history;

	private long epoch;

	private boolean following = true;

	private @Nullable Map<String, KubernetesObject> list;

	private long listedAt;

	ModelInformer(ModelServer server, ResourceType<?> type, String kind, Listing listing) {
		this.server = server;
		this.type = type;
		this.kind = kind;
		this.listing = listing;
		this.version = server.revision();
		this.history = server.history();
		ClassLoader loader = ModelInformer.class.getClassLoader();
		this.informer = (SharedIndexInformer<?>) Proxy.newProxyInstance(loader,
				new Class<?>[] { SharedIndexInformer.class, FollowedCache.class },
				(proxy, method, arguments) -> invoke(method, (arguments != null) ? arguments : new Object[0]));
		this.lister = (Lister<?>) Proxy.newProxyInstance(loader, new Class<?>[] { Lister.class },
				(proxy, method, arguments) -> read(method, (arguments != null) ? arguments : new Object[0]));
	}

	SharedIndexInformer<?> informer() {
		return this.informer;
	}

	Map<String, KubernetesObject> objects() {
		return this.objects;
	}

	boolean isFollowing() {
		return this.following;
	}

	/**
	 * Return whether the cache has a version of a history.
	 */
	boolean has(History other, long reached) {
		return this.version >= reached && this.history.contains(other, reached);
	}

	/**
	 * End the watch.
	 */
	void disconnect() {
		this.following = false;
		this.list = null;
	}

	/**
	 * Compare the cache with the server and follow it again, or list the objects of
	 * another history. What happens until the next call is not in that list.
	 */
	void compare(Consumer<Event> changes) {
		if (this.following) {
			return;
		}
		if (this.server.history().contains(this.history, this.version)) {
			this.following = true;
			this.history = this.server.history();
			return;
		}
		Map<String, KubernetesObject> listed = this.list;
		if (listed == null) {
			this.list = this.server.objects(this.kind);
			this.listedAt = this.server.revision();
			return;
		}
		Map<String, KubernetesObject> before = new HashMap<>(this.objects);
		this.following = true;
		this.epoch++;
		this.objects.clear();
		this.objects.putAll(listed);
		this.history = this.server.history();
		this.version = this.listedAt;
		Set<String> keys = new LinkedHashSet<>(before.keySet());
		keys.addAll(this.objects.keySet());
		for (String key : keys) {
			KubernetesObject previous = before.get(key);
			KubernetesObject current = this.objects.get(key);
			if (previous != null && current != previous) {
				changes.accept(new Event(this.version, key, previous));
			}
			if (current != null && current != previous) {
				changes.accept(new Event(this.version, key, current));
			}
		}
	}

	/**
	 * Deliver the next event, or a bookmark, and return whether there was one.
	 */
	boolean deliver(boolean bookmark, Consumer<Event> changes) {
		if (!this.following) {
			return false;
		}
		Event event = this.server.after(this.version, this.kind);
		if (event == null) {
			this.version = bookmark ? this.server.revision() : this.version;
			return false;
		}
		this.version = event.version();
		KubernetesObject previous = (event.object() != null) ? this.objects.put(event.key(), event.object())
				: this.objects.remove(event.key());
		if (previous != null) {
			changes.accept(new Event(event.version(), event.key(), previous));
		}
		if (event.object() != null) {
			changes.accept(event);
		}
		return true;
	}

	@SuppressWarnings("unchecked")
	private @Nullable Object invoke(Method method, Object[] arguments) throws IOException {
		return switch (method.getName()) {
			case "hashCode" -> System.identityHashCode(this);
			case "equals" -> arguments[0] == this.informer;
			case "name" -> this.kind;
			case "resourceType" -> this.type;
			case "options" -> OPTIONS;
			case "lister" -> this.lister;
			case "indices" -> INDICES;
			case "hasSynced", "isReadable" -> true;
			case "namespaceInformer" -> Optional.empty();
			case "statesByNamespace" -> STATES;
			case "lastSyncResourceVersion" -> String.valueOf(this.version);
			case "relist" -> {
				disconnect();
				yield null;
			}
			case "isFollowing" -> this.following;
			case "find" -> find((String) arguments[0]);
			case "states" -> this.objects.values().stream().map(ObjectState::of).toList();
			case "epoch" -> this.epoch;
			case "hasReached" -> this.following && this.version >= Long.parseLong((String) arguments[0]);
			case "list" -> list((Consumer<ObjectState>) arguments[1]);
			default -> throw new UnsupportedOperationException(method.getName());
		};
	}

	private String list(Consumer<ObjectState> consumer) throws IOException {
		List<KubernetesObject> listed = new ArrayList<>(this.server.objects(this.kind).values());
		String at = String.valueOf(this.server.revision());
		this.listing.listed();
		listed.forEach((object) -> consumer.accept(ObjectState.of(object)));
		return at;
	}

	private Object read(Method method, Object[] arguments) {
		return switch (method.getName()) {
			case "get" -> Optional.ofNullable(find((String) arguments[0]));
			case "list" -> List.copyOf(this.objects.values());
			case "byIndex" -> owned((String) arguments[1]);
			default -> throw new UnsupportedOperationException(method.getName());
		};
	}

	private @Nullable KubernetesObject find(String key) {
		return this.objects.get(this.kind + key);
	}

	List<KubernetesObject> owned(String uid) {
		Predicate<KubernetesObject> owned = (object) -> object.getMetadata().getOwnerReferences() != null
				&& uid.equals(object.getMetadata().getOwnerReferences().get(0).getUid());
		return this.objects.values().stream().filter(owned).toList();
	}

	/**
	 * What happens while a list is read.
	 */
	interface Listing {

		void listed() throws IOException;

	}

}
