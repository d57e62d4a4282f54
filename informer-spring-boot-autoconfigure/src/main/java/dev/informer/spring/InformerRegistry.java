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
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.context.SmartLifecycle;

/**
 * The informers and handlers of an application by name, and their lifecycle. Informers
 * are those of the {@link dev.informer.InformerFactory} of the application and those that
 * are beans of their own; what is made while the application runs is seen at once.
 * <p>
 * Starts before the web server and stops after it. Can be started again after it was
 * stopped: informers then list again and handlers are told the differences only.
 * <p>
 * Thread-safe.
 */
public interface InformerRegistry extends SmartLifecycle {

	/**
	 * The phase of the lifecycle: before the web server, after task executors.
	 */
	int PHASE = DEFAULT_PHASE - 4096;

	/**
	 * The informers.
	 * @return the informers, in the order in which they were made
	 */
	List<SharedIndexInformer<?>> informers();

	/**
	 * Finds an informer.
	 * @param name its name
	 * @return the informer, if there is one
	 */
	default Optional<SharedIndexInformer<?>> findInformer(String name) {
		return informers().stream().filter((informer) -> informer.name().equals(name)).findFirst();
	}

	/**
	 * Gets an informer.
	 * @param <T> the type of the objects
	 * @param name its name
	 * @param type the type of the objects
	 * @return the informer
	 * @throws IllegalArgumentException when there is none of this name, or it has objects
	 * of another type
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> informer(String name, Class<T> type);

	/**
	 * Makes an informer while the application runs, as those are made that are beans:
	 * with the defaults of the properties, and with the index functions, the transform
	 * and the customizers for its type. It starts at once when this registry runs,
	 * otherwise with it, and stops with it. Nobody waits for it, and it is never
	 * required.
	 * @param <T> the type of the objects
	 * @param resourceType the resource
	 * @param options says what to look at, and the name unless that is to be the plural
	 * @return the informer
	 * @throws IllegalArgumentException when there is an informer of this name, or an
	 * option makes no sense
	 * @see #remove(String)
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> register(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options);

	/**
	 * Makes an informer while the application runs.
	 * @param <T> the type of the objects
	 * @param type a model of the official client, or a class with
	 * {@link dev.informer.CustomResource}
	 * @param options says what to look at, and the name unless that is to be the plural
	 * @return the informer
	 * @throws IllegalArgumentException when the class is no model of a resource, there is
	 * an informer of this name, or an option makes no sense
	 * @see #register(ResourceType, Consumer)
	 */
	default <T extends KubernetesObject> SharedIndexInformer<T> register(Class<T> type,
			Consumer<InformerOptions.Builder> options) {
		return register(ResourceType.of(type), options);
	}

	/**
	 * Closes an informer for good, and forgets it and its handlers: its name is free
	 * again. What is queued for its handlers is not told any more.
	 * @param name the name of the informer
	 * @throws IllegalArgumentException when there is none of this name, or it is a bean:
	 * others may have it injected
	 */
	void remove(String name);

	/**
	 * Whether the start of the application waits for an informer and fails without it.
	 * @param informer the informer
	 * @return whether it is required
	 */
	boolean isRequired(SharedIndexInformer<?> informer);

	/**
	 * Whether all required informers have synced.
	 * @return whether none is missing
	 */
	default boolean hasSynced() {
		return informers().stream().filter(this::isRequired).allMatch(SharedIndexInformer::hasSynced);
	}

	/**
	 * The handlers that are methods of beans.
	 * @return their ids
	 */
	List<String> handlerIds();

	/**
	 * Finds a handler that is a method of a bean.
	 * @param id its id
	 * @return its registration, if there is one
	 */
	Optional<HandlerRegistration> findHandler(String id);

	/**
	 * Gets a handler that is a method of a bean.
	 * @param id its id
	 * @return its registration
	 * @throws IllegalArgumentException when there is none of this id
	 */
	default HandlerRegistration handler(String id) {
		return findHandler(id).orElseThrow(() -> new IllegalArgumentException(
				"there is no handler '" + id + "', only " + (handlerIds().isEmpty() ? "none at all" : handlerIds())));
	}

	/**
	 * Calls a handler no more until it is resumed. Under
	 * {@link dev.informer.QueuePolicy#COALESCE} at most one event is kept for each object
	 * meanwhile.
	 * @param handlerId the id of the handler
	 * @throws IllegalArgumentException when there is none of this id
	 * @see HandlerRegistration#pause()
	 */
	default void pause(String handlerId) {
		handler(handlerId).pause();
	}

	/**
	 * Goes on with a handler that was paused, or that has not begun because of its
	 * {@code autoStartup}.
	 * @param handlerId the id of the handler
	 * @throws IllegalArgumentException when there is none of this id
	 * @see HandlerRegistration#resume()
	 */
	default void resume(String handlerId) {
		handler(handlerId).resume();
	}

	/**
	 * Waits until all handlers of all informers, those that are no methods of beans
	 * included, were told everything that is queued for them and no call is running.
	 * Handlers that are paused are not waited for. What an informer has not applied to
	 * its local copy yet does not count: after a write, wait by
	 * {@link SharedIndexInformer#awaitAtLeast} first.
	 * @param timeout how long to wait at most
	 * @return whether there is nothing left
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	boolean awaitHandlersIdle(Duration timeout) throws InterruptedException;

	/**
	 * Starts all informers and waits for those that are required. When it fails,
	 * everything is stopped before it throws.
	 * @throws InformerFailedException when a required informer has given up for good
	 * @throws SyncTimeoutException when required informers have not synced in time
	 */
	@Override
	void start();

	@Override
	default int getPhase() {
		return PHASE;
	}

}
