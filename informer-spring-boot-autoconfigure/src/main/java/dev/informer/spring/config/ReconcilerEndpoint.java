/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Watches;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.config.InformerProperties.Reconciler;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Endpoint of a reconciler method of a bean, with that of its cleanup.
 */
final class ReconcilerEndpoint extends MethodEndpoint<ReconcilerMethod<InformerReconciler>> {

	private final String id;

	private final @Nullable String informer;

	private final Reconciler options;

	private final List<Reference> references;

	private @Nullable CleanupEndpoint cleanup;

	/**
	 * Create an endpoint.
	 * @throws InvalidHandlerMethodException if an attribute is invalid, or the method
	 * cannot be invoked on the bean
	 */
	ReconcilerEndpoint(ConfigurableListableBeanFactory beanFactory, String beanName,
			ReconcilerMethod<InformerReconciler> method) {
		super(beanFactory, beanName, method);
		InformerReconciler annotation = method.annotation();
		this.id = id(annotation.id());
		this.informer = text("informer", annotation.informer());
		this.references = Stream.of(annotation.watches()).map(this::reference).toList();
		this.options = new Reconciler(concurrency(annotation.concurrency()),
				duration("minInterval", annotation.minInterval()), duration("timeout", annotation.timeout()),
				bool("autoStartup", annotation.autoStartup()), text("leader", annotation.leader()),
				bool("leaderOnly", annotation.leaderOnly()), annotation.sharded() ? true : null,
				bool("cleanupUnselected", annotation.cleanupUnselected()), bool("adoption", annotation.adoption()),
				(annotation.conflictExceptions().length > 0) ? Set.copyOf(List.of(annotation.conflictExceptions()))
						: null,
				retry(annotation.retry()));
		check(() -> {
			ReconcilerOptions.Builder<?> builder = new ReconcilerOptions.Builder<>(this.id);
			this.options.applyTo(builder);
			builder.build();
		});
	}

	private Reference reference(Watches watches) {
		String index = text("watches.index", watches.index());
		Function<KubernetesObject, Collection<String>> mapper = mapper(watches);
		if ((index == null) == (mapper == null)) {
			String name = watches.type().getSimpleName();
			throw invalid(
					"it watches objects of " + watches.type().getName() + " by "
							+ ((index != null) ? "both an index and a mapper" : "neither an index nor a mapper"),
					"Set one of them: @Watches(type = " + name
							+ ".class, index = \"...\") with an index of the primary " + "objects, or @Watches(type = "
							+ name + ".class, mapper = \"...\") with a bean of type " + "Function<" + name
							+ ", Collection<String>>.");
		}
		return new Reference(watches.type(), text("watches.informer", watches.informer()), index, mapper,
				watches.anyNamespace());
	}

	@SuppressWarnings("unchecked")
	private @Nullable Function<KubernetesObject, Collection<String>> mapper(Watches watches) {
		String attribute = "watches.mapper";
		Function<?, ?> mapper = bean(attribute, watches.mapper(), Function.class, watches.type());
		if (mapper != null) {
			Class<?> result = new GenericBeanLookup(beanFactory()).findGeneric(mapper,
					text(attribute, watches.mapper()), Function.class, 1);
			if (result != null && !Collection.class.isAssignableFrom(result)) {
				throw invalid(
						"its " + attribute + " '" + watches.mapper() + "' returns " + result.getName()
								+ ", but the keys of primary objects are a collection",
						"Return a Collection<String> of keys.");
			}
		}
		return (mapper != null) ? new Mapper(String.valueOf(text(attribute, watches.mapper())),
				(Function<KubernetesObject, Collection<String>>) mapper) : null;
	}

	String id() {
		return this.id;
	}

	/**
	 * Return the name of the informer of the primary objects; {@code null} for the
	 * default one of the type.
	 */
	@Nullable String informer() {
		return this.informer;
	}

	/**
	 * Return the options of the annotation.
	 */
	Reconciler options() {
		return this.options;
	}

	Set<Class<? extends KubernetesObject>> owned() {
		return new LinkedHashSet<>(List.of(method().annotation().owns()));
	}

	List<Reference> references() {
		return this.references;
	}

	void setCleanup(CleanupEndpoint cleanup) {
		if (this.cleanup != null) {
			throw cleanup.invalid(
					"the reconciler '" + this.id + "' has another cleanup, "
							+ this.cleanup.method().method().toGenericString(),
					"Keep one of them, or name their reconcilers: @InformerCleanup(value = \"...\", reconciler = \"...\").");
		}
		this.cleanup = cleanup;
	}

	/**
	 * Set the options of the method.
	 */
	<T extends KubernetesObject> void applyTo(ReconcilerOptions.Builder<T> builder) {
		builder.name(this.id).notRetryable(List.of(method().annotation().notRetryable()));
		if (this.cleanup != null) {
			builder.cleanup(this.cleanup.finalizer(), this.cleanup.method().reconciler(this.cleanup));
		}
	}

	/**
	 * Objects to which primary objects refer.
	 *
	 * @param informer the name of their informer; {@code null} for the default one
	 * @param index the index of the primary objects; {@code null} for a mapper
	 * @param mapper the function to the keys of primary objects; {@code null} for an
	 * index
	 * @param anyNamespace whether the index may name objects of other namespaces
	 */
	record Reference(Class<? extends KubernetesObject> type, @Nullable String informer, @Nullable String index,
			@Nullable Function<KubernetesObject, Collection<String>> mapper, boolean anyNamespace) {
	}

	/**
	 * Bean that maps objects to the keys of primary objects, with its name for messages.
	 */
	private record Mapper(String bean, Function<KubernetesObject, Collection<String>> function)
			implements
				Function<KubernetesObject, Collection<String>> {

		@Override
		public Collection<String> apply(KubernetesObject object) {
			return this.function.apply(object);
		}

		@Override
		public String toString() {
			return "'" + this.bean + "'";
		}

	}

}
