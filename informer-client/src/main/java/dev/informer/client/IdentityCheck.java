/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;

import dev.informer.client.ResourceDiscovery.WrongScopeException;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Check of the names and namespaces of the objects of one response. An API server sends
 * no others than those that are accepted, so bits of an object that is not have changed
 * on the way, or the resource is declared with the wrong scope. Under its name it would
 * be an object that never existed. Confined to the thread that reads the response.
 */
final class IdentityCheck {

	private static final int MAX_NAME = 253;

	private static final int MAX_NAMESPACE = 63;

	/** API group whose objects may have longer names. */
	private static final String RBAC = "rbac.authorization.k8s.io";

	private final KubernetesConnection connection;

	private final ResourceType<?> resourceType;

	private final @Nullable String namespace;

	private final int maxName;

	private final Cancellation cancellation;

	/** Whether an object has the declared scope, since the last {@link #verifyScope}. */
	private boolean sameScope;

	/** Whether an object has the other scope, since the last {@link #verifyScope}. */
	private boolean otherScope;

	private boolean verified;

	/**
	 * Create a check of the objects in a namespace; {@code null} for all of them. The
	 * cancellation is that of the request.
	 */
	IdentityCheck(KubernetesConnection connection, ResourceType<?> resourceType, @Nullable String namespace,
			Cancellation cancellation) {
		this.connection = connection;
		this.resourceType = resourceType;
		this.namespace = namespace;
		this.maxName = resourceType.group().equals(RBAC) ? Integer.MAX_VALUE : MAX_NAME;
		this.cancellation = cancellation;
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

	/**
	 * Verify the scope of the resource, once, if all objects since the last call have the
	 * other one. One among others has been corrupted on the way.
	 * @throws WrongScopeException if the API server serves the resource in the other
	 * scope
	 */
	void verifyScope() throws IOException {
		if (this.otherScope && !this.sameScope && !this.verified) {
			this.verified = true;
			new ResourceDiscovery(this.connection).verifyScope(this.resourceType, this.namespace != null,
					this.cancellation);
		}
		this.otherScope = false;
		this.sameScope = false;
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
		boolean hasNamespace = namespace != null && !namespace.isEmpty();
		if (hasNamespace != this.resourceType.namespaced()) {
			this.otherScope = true;
			return hasNamespace
					? "metadata.namespace: expected none, because the resource is declared as cluster-scoped"
					: "metadata.namespace: expected one, because the resource is declared as namespaced";
		}
		this.sameScope = true;
		if (namespace == null || namespace.isEmpty()) {
			return null;
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
