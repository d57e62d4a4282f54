/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import com.google.gson.JsonParser;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectState;
import dev.informer.work.FollowedCache;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Create of an object with a generated name. Without an answer, the object is one with
 * this prefix and owner that was not cached before, and is none of another write.
 * <p>
 * <b>Concurrency.</b> Guarded by the lock of {@link WorkerThreads}, once its call is
 * over.
 */
final class GeneratedObject {

	private final @Nullable String namespace;

	private final @Nullable String prefix;

	private final @Nullable String owner;

	private final List<OwnWrite> writes;

	/** UIDs of those that were cached before. */
	private final Set<String> known = new HashSet<>();

	/** UIDs of those that were looked up. */
	private final Set<String> listed = new HashSet<>();

	private GeneratedObject(@Nullable String namespace, V1ObjectMeta metadata, List<OwnWrite> writes) {
		this.namespace = namespace;
		this.prefix = metadata.getGenerateName();
		List<V1OwnerReference> owners = Objects.requireNonNullElse(metadata.getOwnerReferences(), List.of());
		// of two such creates in one call, the object may be either
		boolean repeated = writes.stream().anyMatch((write) -> write.isGenerated(this.prefix));
		this.owner = (owners.isEmpty() || repeated) ? null : owners.get(owners.size() - 1).getUid();
		this.writes = writes;
	}

	/**
	 * Create the object of a request that is sent, which none of the cached ones is.
	 * @param writes those of the call, to which this one may be added later
	 */
	static GeneratedObject of(@Nullable String namespace, byte[] body, List<SharedIndexInformer<?>> readers,
			List<OwnWrite> writes) {
		V1ObjectMeta metadata = new DynamicKubernetesObject(
				JsonParser.parseString(new String(body, StandardCharsets.UTF_8)).getAsJsonObject())
			.getMetadata();
		GeneratedObject generated = new GeneratedObject(namespace, metadata, writes);
		readers.forEach(
				(informer) -> generated.candidates(informer).forEach((object) -> generated.known.add(uid(object))));
		return generated;
	}

	boolean hasPrefix(@Nullable String other) {
		return Objects.equals(this.prefix, other);
	}

	/**
	 * Note that a look-up has failed.
	 */
	void notListed() {
		this.listed.clear();
	}

	private static String uid(KubernetesObject object) {
		return String.valueOf(ObjectState.of(object).uid());
	}

	private List<? extends KubernetesObject> candidates(SharedIndexInformer<?> informer) {
		if (this.owner == null || !FollowedCache.of(informer).isReadable()
				|| !informer.indices().containsKey(Lister.OWNER_INDEX)) {
			return List.of();
		}
		return informer.lister()
			.byIndex(Lister.OWNER_INDEX, this.owner)
			.stream()
			.filter((object) -> Objects.equals(this.prefix, object.getMetadata().getGenerateName())
					&& Objects.equals(this.namespace, ObjectState.of(object).namespace()))
			.toList();
	}

	/**
	 * Return the UIDs of those that may be the created one, by key.
	 */
	private Map<String, String> found(SharedIndexInformer<?> informer) {
		Map<String, String> found = new HashMap<>();
		candidates(informer).forEach((object) -> {
			String uid = uid(object);
			if (!this.known.contains(uid) && this.writes.stream().noneMatch((write) -> uid.equals(write.uid()))) {
				found.put(String.valueOf(ObjectState.of(object).key()), uid);
			}
		});
		return found;
	}

	/**
	 * Return the keys of those that may be the created one, for a look-up that begins.
	 */
	Set<String> look(SharedIndexInformer<?> informer) {
		Map<String, String> found = found(informer);
		this.listed.addAll(found.values());
		return found.keySet();
	}

	/**
	 * Return whether there is one that was not looked up.
	 */
	boolean isNewlyFound(SharedIndexInformer<?> informer) {
		return !this.listed.containsAll(found(informer).values());
	}

	/**
	 * Return whether one exists. Another one that was deleted already may have been
	 * cached late.
	 */
	boolean isListed(SharedIndexInformer<?> informer, ListedObjects objects) {
		return found(informer).entrySet().stream().anyMatch((entry) -> {
			ObjectState state = objects.find(entry.getKey());
			return state != null && entry.getValue().equals(state.uid());
		});
	}

}
