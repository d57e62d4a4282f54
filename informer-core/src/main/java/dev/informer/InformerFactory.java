/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.informer.client.CustomResource;
import dev.informer.client.KubernetesConnection;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.controller.DefaultInformerFactory;
import dev.informer.support.Arguments;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

/**
 * Factory of informers that share one connection. Informers are shared as well: a request
 * for the same resource, namespaces and selectors under the same name returns the
 * informer that exists.
 * <p>
 * Thread-safe.
 */
public interface InformerFactory extends AutoCloseable {

	/**
	 * Create a factory.
	 * @param apiClient the connection. Its credentials, TLS settings and base path are
	 * used by an HTTP client derived from it
	 * @return the factory
	 */
	static InformerFactory create(ApiClient apiClient) {
		Arguments.require("create an InformerFactory", "apiClient", apiClient);
		return create(() -> apiClient, (settings) -> {
		});
	}

	/**
	 * Create a factory with settings.
	 * @param apiClient the supplier of the connection, called when the first informer
	 * starts, and again by the next start if it throws. Threads that need the first
	 * connection at the same time may each call it; the result of one is used
	 * @param customizer the callback that changes the settings
	 * @return the factory
	 */
	static InformerFactory create(Supplier<ApiClient> apiClient, Consumer<InformerFactorySettings> customizer) {
		Arguments.require("create an InformerFactory", "apiClient", apiClient);
		Arguments.require("create an InformerFactory", "customizer", customizer);
		InformerFactorySettings settings = new InformerFactorySettings();
		customizer.accept(settings);
		return new DefaultInformerFactory(apiClient, settings);
	}

	/**
	 * Return the informer of a resource in all namespaces.
	 * @param <T> the type of the objects
	 * @param type a model class of the official client, or a class annotated with
	 * {@link CustomResource}
	 * @return the informer
	 * @throws IllegalArgumentException if the class is not a model of a resource
	 */
	default <T extends KubernetesObject> SharedIndexInformer<T> informer(Class<T> type) {
		return informer(type, (options) -> {
		});
	}

	/**
	 * Return the informer of a resource.
	 * @param <T> the type of the objects
	 * @param type a model class of the official client, or a class annotated with
	 * {@link CustomResource}
	 * @param options the callback that sets the options
	 * @return the informer
	 * @throws IllegalArgumentException if the class is not a model of a resource, an
	 * option is invalid, or the name belongs to an informer with other options
	 */
	default <T extends KubernetesObject> SharedIndexInformer<T> informer(Class<T> type,
			Consumer<InformerOptions.Builder> options) {
		Arguments.require("create an informer", "type", type);
		return informer(ResourceType.of(type), options);
	}

	/**
	 * Return the informer of a resource.
	 * @param <T> the type of the objects
	 * @param resourceType the resource
	 * @param options the callback that sets the options
	 * @return the informer
	 * @throws IllegalArgumentException if an option is invalid, or the name belongs to an
	 * informer with other options
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> informer(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options);

	/**
	 * Return the untyped informer of a resource in all namespaces.
	 * @param resource {@code plural.version.group}, such as
	 * {@code certificates.v1.cert-manager.io}
	 * @return the informer
	 * @see #informer(String, Consumer)
	 */
	default SharedIndexInformer<DynamicKubernetesObject> informer(String resource) {
		return informer(resource, (options) -> {
		});
	}

	/**
	 * Return the untyped informer of a resource. This method blocks while it discovers
	 * the resource at the API server. To avoid that, use
	 * {@link ResourceType#named(Class, String)}, which is discovered when the informer
	 * starts, or {@link ResourceType#dynamic(String, String, String, String, boolean)},
	 * which needs no discovery.
	 * @param resource {@code plural.version.group}, such as
	 * {@code certificates.v1.cert-manager.io}, or {@code plural.group} for the version
	 * that the server prefers; the core group is omitted
	 * @param options the callback that sets the options
	 * @return the informer
	 * @throws IllegalArgumentException if the server does not serve the resource, an
	 * option is invalid, or the name belongs to an informer with other options
	 * @throws IllegalStateException if the discovery fails
	 */
	default SharedIndexInformer<DynamicKubernetesObject> informer(String resource,
			Consumer<InformerOptions.Builder> options) {
		return informer(discover(DynamicKubernetesObject.class, resource), options);
	}

	/**
	 * Return the informer of the metadata of a resource. The server sends only the
	 * metadata. The default name of the informer is the plural with the suffix
	 * {@code -metadata}.
	 * @param type a model class of the official client, or a class annotated with
	 * {@link CustomResource}
	 * @param options the callback that sets the options
	 * @return the informer
	 * @throws IllegalArgumentException if the class is not a model of a resource, an
	 * option is invalid, or the name belongs to an informer with other options
	 * @see ResourceType#metadataOnly()
	 */
	default SharedIndexInformer<PartialObjectMetadata> metadataInformer(Class<? extends KubernetesObject> type,
			Consumer<InformerOptions.Builder> options) {
		Arguments.require("create an informer", "type", type);
		return informer(ResourceType.of(type).metadataOnly(), options);
	}

	/**
	 * Discover a resource at the API server. This method blocks.
	 * @param <T> the type of the objects
	 * @param type the class of the objects; {@link CustomResource} is not required
	 * @param resource {@code plural.version.group}, or {@code plural.group} for the
	 * version that the server prefers; the core group is omitted
	 * @return the resource
	 * @throws IllegalArgumentException if the server does not serve such a resource with
	 * the verbs list and watch
	 * @throws IllegalStateException if the discovery fails
	 */
	<T extends KubernetesObject> ResourceType<T> discover(Class<T> type, String resource);

	/**
	 * Return whether the API server says that a namespace does not exist. A list in such
	 * a namespace is empty, as in one without objects. This method sends a request, for
	 * which the application needs the verb get on namespaces, and blocks for at most 5 s.
	 * @param namespace the name of the namespace
	 * @return whether it does not exist; {@code false} also if that is unknown, because
	 * the request fails or the permission is missing
	 */
	default boolean isNamespaceMissing(String namespace) {
		return false;
	}

	/**
	 * Return the connection of the informers, which is opened by its first use.
	 * @return the connection; closed together with this factory
	 * @throws IllegalStateException if the factory is closed
	 */
	KubernetesConnection connection();

	/**
	 * Return the clock of the informers.
	 * @return the clock
	 * @see InformerFactorySettings#time()
	 */
	TimeSource time();

	/**
	 * Create a thread by the thread factory of the informers.
	 * @param name the name of the thread
	 * @param task its task
	 * @return the thread, which is not started
	 * @see InformerFactorySettings#threadFactory()
	 */
	Thread newThread(String name, Runnable task);

	/**
	 * Return the informers of this factory.
	 * @return the informers, in the order of their creation
	 */
	List<SharedIndexInformer<?>> informers();

	/**
	 * Add a listener for the events of all informers of this factory. Events that were
	 * published before are not repeated.
	 * @param listener the listener
	 */
	void addListener(InformerListener listener);

	/**
	 * Close an informer, which removes it from this factory. Does nothing if the informer
	 * does not belong to this factory.
	 * @param informer the informer
	 * @see SharedIndexInformer#close()
	 */
	void remove(SharedIndexInformer<?> informer);

	/**
	 * Start all informers that are not started. Returns immediately. If some of them
	 * cannot be started, the others are, and the first failure is thrown with the others
	 * suppressed.
	 * @throws IllegalStateException if the factory is closed
	 */
	void start();

	/**
	 * Wait until all informers have synced.
	 * @param timeout the maximum time to wait for all of them together
	 * @return whether all informers have synced
	 * @throws InformerFailedException if an informer has failed permanently
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	default boolean awaitSynced(Duration timeout) throws InterruptedException {
		return awaitSynced(informers(), timeout);
	}

	/**
	 * Wait until some informers have synced.
	 * @param informers the informers, which must belong to this factory
	 * @param timeout the maximum time to wait for all of them together
	 * @return whether all of these informers have synced, apart from those that are
	 * closed
	 * @throws IllegalStateException if one of these informers was never started
	 * @throws InformerFailedException if one of these informers has failed permanently;
	 * thrown as soon as that happens
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	boolean awaitSynced(Collection<? extends SharedIndexInformer<?>> informers, Duration timeout)
			throws InterruptedException;

	/**
	 * Defer event delivery to the handlers of all informers of this factory, including
	 * handlers added later, until the given informers have synced. A handler that reads
	 * the {@link Lister} of another resource then finds a complete cache. Pending events
	 * are kept, bounded as the {@link QueuePolicy} of the handler says. Call this method
	 * before the start; running invocations are not interrupted.
	 * <p>
	 * An informer that fails permanently or is closed is no longer waited for. An
	 * informer that keeps retrying, because a permission is missing or the server is
	 * unreachable, is waited for until {@link #releaseHandlers()}. Once released,
	 * handlers remain released when the informers are stopped and started again.
	 * @param untilSynced the informers to wait for
	 * @throws IllegalArgumentException if an informer belongs to another factory
	 */
	void holdHandlers(Collection<? extends SharedIndexInformer<?>> untilSynced);

	/**
	 * End the effect of {@link #holdHandlers} and {@link #suspendHandlers}, even if
	 * informers have not synced. Does nothing if delivery is not deferred.
	 */
	void releaseHandlers();

	/**
	 * Suspend event delivery to all handlers, including handlers added later, until
	 * {@link #releaseHandlers()} or {@link #holdHandlers}. Events that are pending now
	 * are delivered within the timeout, those of failed invocations once more. Later
	 * events are kept, and the caches continue to follow the server. This is the first
	 * half of a stop: {@link #stop(Duration)} does not drain suspended handlers.
	 * @param timeout the maximum time for all handlers together to process their pending
	 * events; invocations that are still running after that are interrupted
	 * @return whether no invocation is running any more
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	boolean suspendHandlers(Duration timeout) throws InterruptedException;

	/**
	 * Return whether handlers are suspended by {@link #suspendHandlers(Duration)}.
	 * @return whether the handlers are suspended
	 */
	boolean areHandlersSuspended();

	/**
	 * Stop all informers in parallel. They can be started again.
	 * @param drain the maximum time for all handlers together to process their pending
	 * events; {@linkplain #suspendHandlers suspended} handlers are not drained
	 * @see SharedIndexInformer#stop(Duration)
	 */
	void stop(Duration drain);

	/**
	 * Close all informers and their connections. They cannot be started again.
	 */
	@Override
	void close();

}
