/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.reconcilers.ReconcilerOptions.Reference;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Check of the owners of what a call creates and applies: an owner without {@code owns},
 * or {@code owns} without an owner, leads to no call when the object changes. Confined to
 * the thread of the call.
 */
final class WrittenOwners {

	private static final Logger logger = LoggerFactory.getLogger(Reconciler.class);

	private final ReconcilerOptions<?> options;

	private final KubernetesObject primary;

	/** Of all calls of the reconciler. */
	private final Set<String> reported;

	WrittenOwners(ReconcilerOptions<?> options, KubernetesObject primary, Set<String> reported) {
		this.options = options;
		this.primary = primary;
		this.reported = reported;
	}

	/**
	 * Return whether the owner is the primary object of a reconciler that adopts.
	 */
	boolean adopts(String owner) {
		return this.options.adoption() && owner.equals(ObjectState.of(this.primary).uid());
	}

	/**
	 * Check an object that was written, and report the first one of its resource.
	 */
	void written(ResourceType<?> type, KubernetesObject object) {
		String uid = ObjectState.of(this.primary).uid();
		V1ObjectMeta metadata = object.getMetadata();
		// watches may map it without an owner
		if (metadata == null || uid == null || uid.equals(metadata.getUid()) || contains(
				this.options.watched().stream().<SharedIndexInformer<?>>map(Reference::informer).toList(), type)) {
			return;
		}
		List<V1OwnerReference> owners = Objects.requireNonNullElse(metadata.getOwnerReferences(), List.of());
		boolean owned = contains(this.options.owned(), type);
		// one that another object controls cannot be owned
		if (owned && ObjectState.controller(object).isEmpty() && this.reported.add("owner " + type.qualifiedName())) {
			logger.atWarn()
				.addKeyValue("reconciler", this.options.name())
				.log("Reconciler '{}' has written {} {} without its primary object as the controller: its changes lead "
						+ "to no call. Pass the primary object as the owner, or map it by watches", this.options.name(),
						type.qualifiedName(), UntrustedText.of(ObjectState.of(object).key()));
		}
		if (!owned && owners.stream().anyMatch((owner) -> uid.equals(owner.getUid()))
				&& this.reported.add("owns " + type.qualifiedName())) {
			logger.atWarn()
				.addKeyValue("reconciler", this.options.name())
				.log("Reconciler '{}' has written {} {} with its primary object as an owner, but does not own this "
						+ "resource: its changes lead to no call. Add its class to owns, unless only its deletion is "
						+ "to follow that of the owner", this.options.name(), type.qualifiedName(),
						UntrustedText.of(ObjectState.of(object).key()));
		}
	}

	private static boolean contains(List<SharedIndexInformer<?>> informers, ResourceType<?> type) {
		return informers.stream().anyMatch((informer) -> Selection.isOf(informer, type));
	}

}
