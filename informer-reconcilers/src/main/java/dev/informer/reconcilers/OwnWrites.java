/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.WriteListener;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Writes of a call, one for each informer whose cache has to reach them. Confined to the
 * thread of the call.
 */
final class OwnWrites implements WriteListener {

	/** Those that the call reads. */
	private final Collection<SharedIndexInformer<?>> informers;

	private final List<OwnWrite> writes = new ArrayList<>();

	private final @Nullable WrittenOwners owners;

	/** The last request, if it creates an object with a generated name. */
	private @Nullable GeneratedObject sent;

	/**
	 * Create the writes of a call that begins.
	 * @param owners checks the owners of what is created and applied; {@code null} for
	 * nothing
	 */
	OwnWrites(Collection<SharedIndexInformer<?>> informers, @Nullable WrittenOwners owners) {
		this.informers = informers;
		this.owners = owners;
	}

	@Override
	public boolean adopts(String owner) {
		return this.owners != null && this.owners.adopts(owner);
	}

	List<OwnWrite> writes() {
		return this.writes;
	}

	/**
	 * Note that a request is sent. Of one with a generated name, only what was cached
	 * before tells whether an object is the created one.
	 */
	@Override
	public void sending(ResourceType<?> type, ObjectState object, byte[] body) {
		this.sent = (object.name() == null)
				? GeneratedObject.of(object.namespace(), body, readers(type, object), this.writes) : null;
	}

	@Override
	public void written(Operation operation, ResourceType<?> type, KubernetesObject answer) {
		V1ObjectMeta metadata = answer.getMetadata();
		boolean marked = metadata != null && metadata.getDeletionTimestamp() != null;
		boolean gone = marked && !isEnding(answer);
		add(type, answer, gone);
		if (this.owners != null && (operation == Operation.CREATE || operation == Operation.APPLY)) {
			this.owners.written(type, answer);
		}
	}

	@Override
	public void deleted(ResourceType<?> type, KubernetesObject read, byte[] answer) {
		try {
			DynamicKubernetesObject object = new DynamicKubernetesObject(
					JsonParser.parseString(new String(answer, StandardCharsets.UTF_8)).getAsJsonObject());
			boolean marked = object.getMetadata() != null && isEnding(object);
			add(type, marked ? object : read, !marked);
		}
		catch (RuntimeException ex) {
			add(type, read, true);
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
		return metadata.getDeletionTimestamp() != null
				&& ((finalizers != null && !finalizers.isEmpty()) || (grace != null && grace > 0)
						|| (Selection.find(object, "spec", "finalizers") instanceof JsonArray spec && !spec.isEmpty()));
	}

	@Override
	public void unanswered(ResourceType<?> type, ObjectState object) {
		readers(type, object)
			.forEach((informer) -> this.writes.add(new OwnWrite(informer, type, object, false, this.sent)));
	}

	private void add(ResourceType<?> type, KubernetesObject object, boolean gone) {
		ObjectState state = ObjectState.of(object);
		List<SharedIndexInformer<?>> readers = readers(type, state);
		// that none has the namespace is reported
		(readers.isEmpty() ? informersOf(type, state) : readers)
			.forEach((informer) -> this.writes.add(OwnWrite.of(informer, type, object, gone)));
	}

	private List<SharedIndexInformer<?>> readers(ResourceType<?> type, ObjectState state) {
		return informersOf(type, state).stream()
			.filter((informer) -> Selection.isIn(informer, state.namespace()))
			.toList();
	}

	private List<SharedIndexInformer<?>> informersOf(ResourceType<?> type, ObjectState state) {
		return this.informers.stream()
			.<SharedIndexInformer<?>>filter(
					(informer) -> Selection.isOf(informer, type) && !Selection.excludes(informer.options(), state))
			.toList();
	}

}
