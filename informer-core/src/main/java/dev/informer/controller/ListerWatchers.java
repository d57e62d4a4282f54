/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.informer.Encoding;
import dev.informer.InformerOptions;
import dev.informer.UndecodableTypeException;
import dev.informer.client.ApiListerWatcher;
import dev.informer.client.Cancellation;
import dev.informer.client.DiscoveringListerWatcher;
import dev.informer.client.KubernetesConnection;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ResourceDiscovery;
import dev.informer.client.ResourceType;
import dev.informer.client.ServerStatusException;
import dev.informer.client.WireFormat;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.client.protobuf.ProtobufWireFormat;
import dev.informer.client.protobuf.SharedMessages;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * {@link ListerWatcher}s of the informers of a factory, on one connection that the first
 * of them opens.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The connection is guarded by this object's monitor,
 * which is not held while code of the user runs.
 */
final class ListerWatchers {

	/** Maximum duration of a request that looks for an object. */
	private static final Duration CHECK = Duration.ofSeconds(5);

	private static final int NOT_FOUND = 404;

	/** Maximum size of the bytes whose decoded parts are shared. */
	private static final long MAX_SHARED = 1 << 25;

	private static final int SHARE_OF_HEAP = 128;

	private final Supplier<ApiClient> apiClient;

	private WeakReference<SharedMessages> shared = new WeakReference<>(null);

	private @Nullable KubernetesConnection connection;

	private boolean closed;

	/**
	 * Create an instance that is not connected.
	 */
	ListerWatchers(Supplier<ApiClient> apiClient) {
		this.apiClient = apiClient;
	}

	/**
	 * Return the ListerWatchers of an informer by namespace; the empty string is all
	 * namespaces.
	 * @throws UndecodableTypeException if objects of this type cannot be decoded
	 */
	<T extends KubernetesObject> Function<String, ListerWatcher<T>> of(ResourceType<T> resourceType,
			InformerOptions options) {
		WireFormat<T> format = format(resourceType, options);
		return (namespace) -> source(resourceType, namespace, options, format);
	}

	private <T extends KubernetesObject> WireFormat<T> format(ResourceType<T> resourceType, InformerOptions options) {
		try {
			JsonWireFormat<T> plain = JsonWireFormat.of(resourceType.type(), resourceType.apiVersion(),
					resourceType.kind());
			JsonWireFormat<T> json = options.managedFields() ? plain.withManagedFields() : plain;
			return (options.encoding() == Encoding.JSON) ? json : ProtobufWireFormat.of(resourceType.type(),
					resourceType.apiVersion(), resourceType.kind(), json, options.managedFields(), shared());
		}
		catch (IllegalArgumentException ex) {
			throw new UndecodableTypeException(resourceType.type(), ex);
		}
	}

	/**
	 * Return the parts that objects share, which are kept as long as an informer is.
	 */
	private synchronized SharedMessages shared() {
		SharedMessages known = this.shared.get();
		if (known == null) {
			known = new SharedMessages(Math.min(MAX_SHARED, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
			this.shared = new WeakReference<>(known);
		}
		return known;
	}

	private <T extends KubernetesObject> ListerWatcher<T> source(ResourceType<T> resourceType, String selected,
			InformerOptions options, WireFormat<T> format) {
		String namespace = selected.isEmpty() ? null : selected;
		if (resourceType.isComplete()) {
			return new ApiListerWatcher<>(connection(), resourceType, namespace, options.labelSelector(),
					options.fieldSelector(), format);
		}
		return new DiscoveringListerWatcher<>(discovery(), resourceType, namespace,
				(found) -> new ApiListerWatcher<>(connection(), found, namespace, options.labelSelector(),
						options.fieldSelector(), format(found, options)));
	}

	/**
	 * Return the discovery of resources, which opens the connection.
	 */
	ResourceDiscovery discovery() {
		return new ResourceDiscovery(connection());
	}

	/**
	 * Return whether the API server says that an object does not exist. A proxy may send
	 * a 404, too, but no {@code Status}.
	 */
	boolean isMissing(String path) {
		try {
			connection().send("GET", path, null, CHECK, new Cancellation());
			return false;
		}
		catch (ServerStatusException ex) {
			return ex.status().code() == NOT_FOUND && ex.status().reason().equals("NotFound");
		}
		catch (IOException | RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Return the connection. The supplier is code of the user, so it is called without
	 * the monitor: of two threads that call it at the same time, the connection of one is
	 * used.
	 */
	KubernetesConnection connection() {
		KubernetesConnection current = connection(null);
		if (current == null) {
			KubernetesConnection created = new KubernetesConnection(this.apiClient.get());
			current = Objects.requireNonNull(connection(created));
		}
		return current;
	}

	private synchronized @Nullable KubernetesConnection connection(@Nullable KubernetesConnection created) {
		if (this.closed) {
			throw new IllegalStateException(
					"Cannot connect to the API server: the factory is closed. Create another one.");
		}
		if (this.connection == null) {
			this.connection = created;
		}
		return this.connection;
	}

	/**
	 * Open no connection from now on. That of running informers continues.
	 */
	synchronized void refuseConnections() {
		this.closed = true;
	}

	/**
	 * Close the connection.
	 */
	void close() {
		KubernetesConnection closing;
		synchronized (this) {
			this.closed = true;
			closing = this.connection;
			this.connection = null;
		}
		if (closing != null) {
			closing.close();
		}
	}

}
