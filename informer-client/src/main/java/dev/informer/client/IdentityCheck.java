/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Check of the names and namespaces of the objects of one request. An API server sends no
 * others than those that are accepted, so bits of an object that is not have changed on
 * the way. Under its name it would be an object that never existed.
 */
final class IdentityCheck {

	private static final int MAX_NAME = 253;

	private static final int MAX_NAMESPACE = 63;

	/** API group whose objects may have longer names. */
	private static final String RBAC = "rbac.authorization.k8s.io";

	private final boolean namespaced;

	private final @Nullable String namespace;

	private final int maxName;

	/**
	 * Create a check of the objects in a namespace; {@code null} for all of them.
	 */
	IdentityCheck(ResourceType<?> resourceType, @Nullable String namespace) {
		this.namespaced = resourceType.namespaced();
		this.namespace = namespace;
		this.maxName = resourceType.group().equals(RBAC) ? Integer.MAX_VALUE : MAX_NAME;
	}

	/**
	 * Return the undecodable object in place of a decoded one; {@code null} if that is
	 * accepted.
	 */
	@Nullable UndecodableObject undecodable(@Nullable Object object) {
		if (!(object instanceof KubernetesObject known)) {
			return null;
		}
		ObjectState state = ObjectState.of(known);
		String problem = problem(state);
		return (problem != null) ? new UndecodableObject(unnamed(state), problem, true) : null;
	}

	/**
	 * Return an object that could not be decoded, without its name if that is not
	 * accepted.
	 */
	UndecodableObject withoutInvalidName(UndecodableObject object) {
		ObjectState state = object.state();
		return (state.name() != null && problem(state) != null)
				? new UndecodableObject(unnamed(state), object.reason(), true) : object;
	}

	private static ObjectState unnamed(ObjectState state) {
		return new ObjectState(null, null, state.uid(), state.resourceVersion());
	}

	private @Nullable String problem(ObjectState state) {
		String name = state.name();
		if (name == null || !isPathSegment(name)) {
			return "metadata.name: expected a segment of a path";
		}
		String namespace = state.namespace();
		if (namespace == null || namespace.isEmpty()) {
			return this.namespaced ? "metadata.namespace: expected one, because the resource is namespaced" : null;
		}
		if (!this.namespaced) {
			return "metadata.namespace: expected none, because the resource is cluster-scoped";
		}
		if (this.namespace != null) {
			return this.namespace.equals(namespace) ? null : "metadata.namespace: expected the requested one";
		}
		return isLabel(namespace) ? null : "metadata.namespace: expected a DNS label";
	}

	private boolean isPathSegment(String name) {
		int length = name.length();
		if (length == 0 || length > this.maxName || name.equals(".") || name.equals("..")) {
			return false;
		}
		for (int i = 0; i < length; i++) {
			char c = name.charAt(i);
			if (c == '/' || c == '%' || Character.isISOControl(c)) {
				return false;
			}
		}
		return true;
	}

	private static boolean isLabel(String namespace) {
		int length = namespace.length();
		if (length > MAX_NAMESPACE || namespace.charAt(0) == '-' || namespace.charAt(length - 1) == '-') {
			return false;
		}
		for (int i = 0; i < length; i++) {
			char c = namespace.charAt(i);
			if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) {
				return false;
			}
		}
		return true;
	}

}
