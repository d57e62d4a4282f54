/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.function.Consumer;

import dev.informer.HandlerRegistration;
import dev.informer.InvocationGate;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.reconcilers.Reconcilers;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Binds annotated methods of beans to their informers, as handlers or as reconcilers,
 * with the options of their attributes and properties.
 */
final class MethodRegistrar {

	private final DefaultInformerRegistry registry;

	private final Reconcilers reconcilers;

	private final Replicas replicas;

	private final InformerSettings settings;

	MethodRegistrar(DefaultInformerRegistry registry, Reconcilers reconcilers, Replicas replicas,
			InformerSettings settings) {
		this.registry = registry;
		this.reconcilers = reconcilers;
		this.replicas = replicas;
		this.settings = settings;
	}

	/**
	 * Add a method to the handlers of an informer.
	 */
	<T extends KubernetesObject> void addHandler(InformerHandlerEndpoint endpoint, SharedIndexInformer<T> informer) {
		InformerProperties properties = this.settings.properties();
		InformerProperties.Handler ofInformer = this.settings.handlersOf(informer.name());
		InformerProperties.Handler own = properties.handlers()
			.getOrDefault(endpoint.id(), InformerProperties.Handler.NONE);
		InvocationGate gate = this.replicas.gate(endpoint, informer, List.of(own, endpoint.options(), ofInformer));
		add(endpoint, Names.handlerKey(endpoint.id()), "informer.resources.<name>.handler", () -> {
			HandlerRegistration registration = informer.addHandler(endpoint.handler(), (builder) -> {
				builder.resyncPeriod(properties.defaults().resyncPeriod());
				ofInformer.applyTo(builder);
				endpoint.applyTo(builder);
				own.applyTo(builder.gate(gate));
				Replicas.checkQueue(builder.build().queue(), endpoint, informer);
			});
			this.registry.add(endpoint.id(), registration, informer, gate);
		});
	}

	/**
	 * Add a method to the reconcilers; the callback adds its other informers.
	 */
	<T extends KubernetesObject> void addReconciler(ReconcilerEndpoint endpoint, SharedIndexInformer<T> primaries,
			Consumer<ReconcilerOptions.Builder<T>> informers) {
		InformerProperties properties = this.settings.properties();
		InformerProperties.Reconciler defaults = properties.defaults().reconciler();
		InformerProperties.Reconciler own = properties.reconcilers()
			.getOrDefault(endpoint.id(), InformerProperties.Reconciler.NONE);
		InvocationGate gate = this.replicas.gate(endpoint, primaries, List.of(own, endpoint.options(), defaults));
		add(endpoint, Names.reconcilerKey(endpoint.id()), "informer.defaults.reconciler",
				() -> this.reconcilers.add(primaries, endpoint.method().reconciler(endpoint), (builder) -> {
					defaults.applyTo(builder);
					endpoint.options().applyTo(builder);
					own.applyTo(builder);
					endpoint.applyTo(builder);
					informers.accept(builder.gate(gate));
				}));
	}

	private static void add(MethodEndpoint<?> endpoint, String properties, String defaults, Runnable registration) {
		try {
			registration.run();
		}
		catch (IllegalArgumentException ex) {
			throw endpoint.invalid("its attributes and properties do not fit together: " + ex.getMessage(),
					"Change its attributes, or the properties below " + properties + " or " + defaults + ".");
		}
	}

}
