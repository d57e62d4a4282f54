/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.informer.Lister;
import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.WatchedResource;
import dev.informer.spring.InformerRegistry;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Informers in a Spring Boot application, with default settings, whose handlers write a
 * journal.
 */
final class JournalClient {

	/**
	 * A fixed number. The polls that pile up while the process is frozen would start more
	 * threads, which the further polls keep alive.
	 */
	private static final int WEB_THREADS = 10;

	private final ConfigurableApplicationContext context;

	private JournalClient(Class<?> application, Connection connection, List<String> properties,
			Consumer<GenericApplicationContext> beans) {
		List<String> arguments = new ArrayList<>(properties);
		arguments.addAll(connection.properties());
		arguments.addAll(
				List.of("--server.port=0", "--server.address=127.0.0.1", "--server.tomcat.threads.max=" + WEB_THREADS,
						"--server.tomcat.threads.min-spare=" + WEB_THREADS, "--spring.main.banner-mode=off",
						"--management.endpoints.web.exposure.include=health,informers,prometheus",
						"--management.endpoint.health.show-details=always"));
		this.context = new SpringApplicationBuilder(application)
			.initializers((GenericApplicationContext context) -> beans.accept(context))
			.run(arguments.toArray(String[]::new));
	}

	/**
	 * Start the application whose handlers every replica invokes.
	 */
	static JournalClient ofEachReplica(Connection connection, JournalWriter journal) {
		return new JournalClient(InformerApplication.class, connection, List.of(),
				(context) -> context.registerBean(JournalWriter.class, () -> journal));
	}

	/**
	 * Start a replica of the application whose handlers replicas share.
	 */
	static JournalClient ofReplica(Connection connection, JournalWriter journal, Coordination coordination,
			ReplicaDurations durations) {
		List<String> properties = coordination.properties(durations);
		return new JournalClient(coordination.application(), connection, properties, (context) -> {
			context.registerBean(JournalWriter.class, () -> journal);
			context.registerBean(ReplicaDurations.class, () -> durations);
		});
	}

	/**
	 * Return the port of the endpoints that an operator would use.
	 */
	int managementPort() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	/**
	 * Return the content of the cache.
	 */
	ObjectStates cache() {
		ObjectStates states = new ObjectStates();
		InformerRegistry registry = this.context.getBean(InformerRegistry.class);
		for (WatchedResource resource : WatchedResource.values()) {
			registry.findInformer(resource.plural()).ifPresent((informer) -> add(states, resource, informer.lister()));
		}
		return states;
	}

	private static void add(ObjectStates states, WatchedResource resource, Lister<?> lister) {
		List<? extends KubernetesObject> objects = lister.list();
		for (KubernetesObject object : objects) {
			V1ObjectMeta metadata = object.getMetadata();
			states.add(resource, metadata.getNamespace(), metadata.getName(), metadata.getUid(),
					metadata.getResourceVersion());
		}
	}

	/**
	 * Let the next invocations of a handler throw an OutOfMemoryError.
	 */
	void throwErrors(int count) {
		this.context.getBean(InformerApplication.class).throwErrors(count);
	}

}
