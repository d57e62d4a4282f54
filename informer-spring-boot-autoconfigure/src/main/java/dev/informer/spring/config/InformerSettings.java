/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.informer.InformerOptions;

/**
 * What the configuration of an application says about its informers and handlers.
 */
public interface InformerSettings {

	/**
	 * Whether the informers start with the application.
	 * @return whether they do
	 */
	boolean autoStartup();

	/**
	 * How long a start waits for required informers.
	 * @return the longest time
	 */
	Duration startupTimeout();

	/**
	 * What happens when that was not long enough.
	 * @return what to do
	 */
	OnTimeout onTimeout();

	/**
	 * Whether handlers are called only once all required informers have synced.
	 * @return whether they are held back until then
	 */
	boolean holdHandlers();

	/**
	 * How long handlers may go on with what is queued when everything stops.
	 * @return the longest time
	 */
	Duration drainTimeout();

	/**
	 * The informers that the configuration names.
	 * @return their names
	 */
	Set<String> informerNames();

	/**
	 * The handlers that the configuration names.
	 * @return their ids
	 */
	Set<String> handlerIds();

	/**
	 * The options of an informer.
	 * @param name its name
	 * @return the options, with the name
	 */
	InformerOptions informerOptions(String name);

	/**
	 * The built-in indices that an informer has.
	 * @param name its name
	 * @return the names of the indices
	 */
	List<String> indices(String name);

	/**
	 * Whether a start waits for an informer and fails without it.
	 * @param name its name
	 * @return whether it is required
	 */
	boolean required(String name);

	/**
	 * How a handler wants to be called.
	 * @param informer the name of its informer
	 * @param handler what its annotation says
	 * @return what the annotation and all properties say
	 */
	HandlerSettings handlerSettings(String informer, HandlerEndpoint handler);

}
