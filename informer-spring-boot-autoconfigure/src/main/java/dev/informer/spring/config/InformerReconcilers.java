/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.Watched;
import dev.informer.replicas.Shard;
import dev.informer.replicas.Shard.Key;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Writes;
import dev.informer.spring.InvalidHandlerMethodException;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.config.ReconcilerEndpoint.Reference;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Reconcilers of an application that are methods of beans, with their cleanups.
 */
final class InformerReconcilers {

	private final Map<String, ReconcilerEndpoint> endpoints = new LinkedHashMap<>();

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Create the reconcilers of methods by bean.
	 * @throws InvalidHandlerMethodException if one of them is invalid
	 * @throws InvalidInformerPropertyException if a property names another one
	 */
	InformerReconcilers(ConfigurableListableBeanFactory beanFactory, InformerProperties properties,
			Map<String, List<AnnotatedMethod<?>>> methods) {
		this.beanFactory = beanFactory;
		methods.forEach(this::addBean);
		properties.reconcilers().keySet().forEach((id) -> Names.checkReconciler(id, this.endpoints.keySet()));
	}

	@SuppressWarnings("unchecked")
	private void addBean(String beanName, List<AnnotatedMethod<?>> methods) {
		List<ReconcilerEndpoint> reconcilers = new ArrayList<>();
		for (AnnotatedMethod<?> method : methods) {
			if (method.annotation() instanceof InformerReconciler) {
				ReconcilerEndpoint endpoint = new ReconcilerEndpoint(this.beanFactory, beanName,
						(ReconcilerMethod<InformerReconciler>) method);
				endpoint.checkUnique(endpoint.id(), this.endpoints.putIfAbsent(endpoint.id(), endpoint));
				reconcilers.add(endpoint);
			}
		}
		for (AnnotatedMethod<?> method : methods) {
			if (method.annotation() instanceof InformerCleanup) {
				CleanupEndpoint cleanup = new CleanupEndpoint(this.beanFactory, beanName,
						(ReconcilerMethod<InformerCleanup>) method);
				ReconcilerEndpoint reconciler = reconcilerOf(cleanup, reconcilers);
				cleanup.method().checkParameters(reconciler.method().annotation());
				reconciler.setCleanup(cleanup);
			}
		}
	}

	private static ReconcilerEndpoint reconcilerOf(CleanupEndpoint cleanup, List<ReconcilerEndpoint> ofBean) {
		Class<?> type = cleanup.method().type();
		String id = cleanup.reconcilerId();
		List<ReconcilerEndpoint> found = ofBean.stream()
			.filter((each) -> (id != null) ? each.id().equals(id) : each.method().type() == type)
			.toList();
		if (found.isEmpty()) {
			List<String> ids = ofBean.stream().map(ReconcilerEndpoint::id).toList();
			throw cleanup.invalid(
					(id != null)
							? "its bean has no reconciler with the ID '" + id + "'; the IDs are "
									+ (ids.isEmpty() ? "none" : ids)
							: "its bean has no @InformerReconciler whose first parameter is a " + type.getSimpleName(),
					((id != null) ? Names.suggest(id, ids) : "")
							+ "Put the method into the bean of its reconciler, and let both take the same object first.");
		}
		if (found.size() > 1) {
			throw cleanup.invalid(
					"several reconcilers of its bean have a " + type.getSimpleName() + " as their first parameter: "
							+ found.stream().map(ReconcilerEndpoint::id).toList(),
					"Name one of them: @InformerCleanup(value = \"...\", reconciler = \"" + found.get(0).id() + "\").");
		}
		ReconcilerEndpoint reconciler = found.get(0);
		if (reconciler.method().type() != type) {
			throw cleanup.invalid(
					"its first parameter is a " + type.getSimpleName() + ", but that of its reconciler '"
							+ reconciler.id() + "' is a " + reconciler.method().type().getSimpleName(),
					"Let both take the same object first.");
		}
		return reconciler;
	}

	/**
	 * Add the reconcilers to those of the application by a registrar.
	 * @throws InvalidHandlerMethodException if an informer or one of its indices does not
	 * exist
	 */
	void add(InformerLookup lookup, MethodRegistrar registrar) {
		this.endpoints.values().forEach((endpoint) -> {
			ReconcilerMethod<InformerReconciler> method = endpoint.method();
			SharedIndexInformer<?> primaries = lookup.find(endpoint.informer(), method.type(), method);
			List<SharedIndexInformer<?>> owned = new ArrayList<>();
			endpoint.owned().forEach((type) -> owned.add(lookup.find(null, type, method)));
			Map<Reference, SharedIndexInformer<?>> referred = new LinkedHashMap<>();
			endpoint.references()
				.forEach((reference) -> referred.put(reference,
						lookup.find(reference.informer(), reference.type(), method)));
			Stream.concat(owned.stream(), referred.values().stream())
				.forEach((informer) -> checkShard(endpoint, primaries, informer));
			check(endpoint, primaries, referred);
			add(endpoint, primaries, owned, referred, registrar);
		});
	}

	private static <T extends KubernetesObject> void add(ReconcilerEndpoint endpoint, SharedIndexInformer<T> primaries,
			List<SharedIndexInformer<?>> owned, Map<Reference, SharedIndexInformer<?>> referred,
			MethodRegistrar registrar) {
		registrar.addReconciler(endpoint, primaries, (builder) -> {
			owned.forEach(builder::owns);
			for (Writes writes : endpoint.method().annotation().writes()) {
				owned.stream()
					.filter((informer) -> informer.resourceType().type() == writes.type())
					.forEach((informer) -> builder.writes(informer, writes.operations()));
				if (writes.type() == primaries.resourceType().type()) {
					builder.writes(primaries, writes.operations());
				}
			}
			referred.forEach((reference, informer) -> {
				if (reference.index() != null && reference.anyNamespace()) {
					builder.watchesAnyNamespace(informer, reference.index());
				}
				else if (reference.index() != null) {
					builder.watches(informer, reference.index());
				}
				else if (reference.mapper() != null) {
					builder.watches(informer, reference.mapper());
				}
			});
		});
	}

	private static void check(ReconcilerEndpoint endpoint, SharedIndexInformer<?> primaries,
			Map<Reference, SharedIndexInformer<?>> referred) {
		referred.forEach((reference, informer) -> {
			Set<String> indices = primaries.indices().keySet();
			String index = reference.index();
			String type = reference.type().getSimpleName();
			if (index != null && !indices.contains(index)) {
				String primary = endpoint.method().type().getSimpleName();
				throw endpoint.invalid(
						"it watches " + type + " by the index '" + index + "', but the indices of informer '"
								+ primaries.name() + "' are " + indices,
						Names.suggest(index, indices) + "Declare a bean IndexFunction<" + primary + "> with the name '"
								+ index + "', which maps a " + primary + " to the names of those of type " + type
								+ " that it refers to.");
			}
			long informers = referred.entrySet()
				.stream()
				.filter((each) -> each.getKey().index() != null && each.getKey().type() == reference.type())
				.map(Map.Entry::getValue)
				.distinct()
				.count();
			if (informers > 1 && endpoint.method().takes(Watched.class, reference.type())) {
				throw endpoint.invalid(
						"its parameter Watched<" + type + "> is of a class that it watches with " + informers
								+ " informers by an index",
						"Remove the parameter, and inject the listers of these informers.");
			}
		});
	}

	/**
	 * Check that the objects of an informer are not those of other replicas than their
	 * primary objects.
	 */
	private static void checkShard(ReconcilerEndpoint endpoint, SharedIndexInformer<?> primaries,
			SharedIndexInformer<?> informer) {
		Optional<Key> by = Shard.of(informer.options()).map(Shard::by);
		if (by.isPresent() && (by.get() != Key.NAMESPACE || !by.equals(Shard.of(primaries.options()).map(Shard::by)))) {
			String key = "informer.resources." + informer.name() + ".shard.by";
			throw endpoint.invalid(
					"its informer '" + informer.name() + "' caches only the objects of the slots of this replica, "
							+ "which belong to primary objects of other replicas as well",
					"Let every replica cache all of them, remove " + key
							+ ", or divide them and the primary objects by their namespaces, " + key + "=namespace.");
		}
	}

}
