/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import org.jspecify.annotations.Nullable;

/**
 * Field managers of an object before and after an apply.
 *
 * @param ownTime the time at which the manager that applies has changed the object last;
 * {@code null} if it is not known
 * @param other the other manager that has changed the object last; empty if it is not
 * known
 */
record FieldManagers(@Nullable OffsetDateTime ownTime, String other) {

	/**
	 * Read the managers. One whose fields were all taken over is in the state before, if
	 * the informer keeps managed fields. The time of a creation is none of a change.
	 */
	static FieldManagers of(String manager, @Nullable KubernetesObject before, KubernetesObject after) {
		OffsetDateTime created = (after.getMetadata() != null) ? after.getMetadata().getCreationTimestamp() : null;
		return new FieldManagers(
				entries(after).filter((entry) -> isOwn(manager, entry))
					.map(V1ManagedFieldsEntry::getTime)
					.filter((time) -> time != null && (created == null || time.isAfter(created)))
					.findFirst()
					.orElse(null),
				Stream.of(latest(manager, before), latest(manager, after))
					.filter((name) -> !name.isEmpty())
					.findFirst()
					.orElse(""));
	}

	private static String latest(String manager, @Nullable KubernetesObject object) {
		return entries(object).filter((entry) -> entry.getSubresource() == null && !isOwn(manager, entry))
			.max(Comparator.comparing(V1ManagedFieldsEntry::getTime, Comparator.nullsFirst(Comparator.naturalOrder())))
			.map(V1ManagedFieldsEntry::getManager)
			.orElse("");
	}

	private static boolean isOwn(String manager, V1ManagedFieldsEntry entry) {
		return manager.equals(entry.getManager()) && "Apply".equals(entry.getOperation());
	}

	private static Stream<V1ManagedFieldsEntry> entries(@Nullable KubernetesObject object) {
		List<V1ManagedFieldsEntry> entries = (object != null && object.getMetadata() != null)
				? object.getMetadata().getManagedFields() : null;
		return Objects.requireNonNullElse(entries, List.<V1ManagedFieldsEntry>of()).stream();
	}

}
