/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFailedException;
import dev.informer.InformerOptions;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.context.SmartLifecycle;

/**
 * Registry of the informers and handlers of an application, and their lifecycle. It
 * contains the informers of the {@link dev.informer.InformerFactory} of the application
 * and informer beans of other factories, including those created while the application
 * runs.
 * <p>
 * It starts before the web server and stops after it. When the application stops, the
 * delivery to handlers ends earlier, before the web server stops. It can be started again
 * after a stop: informers then list again and only the differences are delivered to
 * handlers.
 * <p>
 * Thread-safe.
 */
public interface InformerRegistry extends SmartLifecycle {

	/**
	 * The phase of the lifecycle: before the web server, after task executors.
	 */
	int PHASE = DEFAULT_PHASE - 4096;

	/**
	 * Return the informers.
	 * @return the informers, in the order of their creation
	 */
	List<SharedIndexInformer<?>> informers();

	/**
	 * Find an informer.
	 * @param name the name of the informer
	 * @return the informer
	 */
	default Optional<SharedIndexInformer<?>> findInformer(String name) {
		return informers().stream().filter((informer) -> informer.name().equals(name)).findFirst();
	}

	/**
	 * Return an informer.
	 * @param <T> the type of the objects
	 * @param name the name of the informer
	 * @param type the type of the objects
	 * @return the informer
	 * @throws IllegalArgumentException if there is no informer of this name, or it has
	 * objects of another type
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> informer(String name, Class<T> type);

	/**
	 * Create an informer while the application runs, like the informers that are beans:
	 * with the defaults of the properties, and with the index functions, the transform
	 * and the customizers for its type. It starts immediately if this registry is
	 * running, otherwise with it, and stops with it. It is never required, and startup
	 * does not wait for it.
	 * @param <T> the type of the objects
	 * @param resourceType the resource
	 * @param options the callback that sets the options; the default name is the plural
	 * @return the informer
	 * @throws IllegalArgumentException if there is an informer of this name, or an option
	 * is invalid
	 * @see #remove(String)
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> register(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options);

	/**
	 * Create an informer while the application runs.
	 * @param <T> the type of the objects
	 * @param type a model of the official client, or a class annotated with
	 * {@link dev.informer.client.CustomResource}
	 * @param options the callback that sets the options; the default name is the plural
	 * @return the informer
	 * @throws IllegalArgumentException if the class is not a model of a resource, there
	 * is an informer of this name, or an option is invalid
	 * @see #register(ResourceType, Consumer)
	 */
	default <T extends KubernetesObject> SharedIndexInformer<T> register(Class<T> type,
			Consumer<InformerOptions.Builder> options) {
		return register(ResourceType.of(type), options);
	}

	/**
	 * Close an informer and remove it with its handlers. Its name can be used again.
	 * Pending events are not delivered.
	 * @param name the name of the informer
	 * @throws IllegalArgumentException if there is no informer of this name, or it is a
	 * bean, which may be injected elsewhere
	 */
	void remove(String name);

	/**
	 * Return whether startup waits for an informer and fails without it.
	 * @param informer the informer
	 * @return whether the informer is required
	 */
	boolean isRequired(SharedIndexInformer<?> informer);

	/**
	 * Return whether all required informers have synced.
	 * @return whether they have synced
	 */
	default boolean hasSynced() {
		return informers().stream().filter(this::isRequired).allMatch(SharedIndexInformer::hasSynced);
	}

	/**
	 * Return the IDs of the handlers that are methods of beans.
	 * @return the IDs
	 */
	List<String> handlerIds();

	/**
	 * Find a handler that is a method of a bean.
	 * @param id the ID of the handler
	 * @return the registration
	 */
	Optional<HandlerRegistration> findHandler(String id);

	/**
	 * Return a handler that is a method of a bean.
	 * @param id the ID of the handler
	 * @return the registration
	 * @throws IllegalArgumentException if there is no handler of this ID
	 */
	default HandlerRegistration handler(String id) {
		return findHandler(id).orElseThrow(() -> new IllegalArgumentException(
				"there is no handler '" + id + "'; the IDs are " + (handlerIds().isEmpty() ? "none" : handlerIds())));
	}

	/**
	 * Pause a handler until it is resumed. Pending events are kept, under
	 * {@link dev.informer.QueuePolicy#COALESCE} at most one per object.
	 * @param handlerId the ID of the handler
	 * @throws IllegalArgumentException if there is no handler of this ID
	 * @see HandlerRegistration#pause()
	 */
	default void pause(String handlerId) {
		handler(handlerId).pause();
	}

	/**
	 * Resume a handler that was paused, or that is paused because of its
	 * {@code autoStartup}.
	 * @param handlerId the ID of the handler
	 * @throws IllegalArgumentException if there is no handler of this ID
	 * @see HandlerRegistration#resume()
	 */
	default void resume(String handlerId) {
		handler(handlerId).resume();
	}

	/**
	 * Wait until no events are pending and no invocation is running for any handler of
	 * any informer, including handlers that are not methods of beans. Paused handlers,
	 * leader-only handlers of a replica that is not leader, and objects of a sharded
	 * handler that other replicas own, are not waited for. Changes that are not in the
	 * cache yet are not considered: after a write, call
	 * {@link SharedIndexInformer#awaitAtLeast} first.
	 * @param timeout the maximum time to wait
	 * @return whether all handlers are idle
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	boolean awaitHandlersIdle(Duration timeout) throws InterruptedException;

	/**
	 * Start all informers and wait for the required ones. If that fails, everything is
	 * stopped before the exception is thrown.
	 * @throws InformerFailedException if a required informer has failed permanently
	 * @throws SyncTimeoutException if required informers have not synced in time
	 */
	@Override
	void start();

	@Override
	default int getPhase() {
		return PHASE;
	}

}
