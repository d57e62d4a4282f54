/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.client.CustomResource;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ResourceDefinition;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.StreamUtils;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications that are started again in the same JVM with other classes, as
 * DevTools do.
 */
class DevToolsRestartTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@BeforeEach
	void createObjects() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
		this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
		awaitNoThread();
	}

	@Test
	void consecutiveContexts_useTheirOwnClasses() throws Exception {
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
				Map.of("namespace", "shop", "name", "one")));
		Class<?> first = restart();
		awaitNoThread();
		Class<?> second = restart();
		assertThat(second).isNotSameAs(first);
	}

	/**
	 * Runs an application as DevTools do, in a class loader that has classes of the
	 * application and none of libraries.
	 */
	private Class<?> restart() throws Exception {
		ClassLoader loader = new RestartLoader(getClass().getClassLoader());
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(loader);
		try {
			Callable<?> application = (Callable<?>) loader.loadClass(Restarted.class.getName())
				.getConstructor(String.class)
				.newInstance(this.kubernetes.url());
			Class<?> seen = (Class<?>) application.call();
			assertThat(seen.getClassLoader()).isSameAs(loader);
			return seen;
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private static void awaitNoThread() {
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("informer-")));
	}

	/**
	 * Has its own copy of the classes of one application.
	 */
	static final class RestartLoader extends ClassLoader {

		RestartLoader(ClassLoader parent) {
			super(parent);
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.startsWith(Restarted.class.getName())) {
				return super.loadClass(name, resolve);
			}
			Class<?> known = findLoadedClass(name);
			return (known != null) ? known : define(name);
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] bytes = StreamUtils.copyToByteArray(file);
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

	/**
	 * An application that is run until its handler was invoked for an object, and gives
	 * the class of that.
	 */
	public static final class Restarted implements Callable<Class<?>> {

		private final String url;

		public Restarted(String url) {
			this.url = url;
		}

		@Override
		public Class<?> call() {
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.run("--informer.connection.url=" + this.url)) {
				List<Class<?>> seen = context.getBean(Tenants.class).seen;
				await().until(() -> !seen.isEmpty());
				return seen.get(0);
			}
		}

		@Configuration(proxyBeanMethods = false)
		@ImportAutoConfiguration({ InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class })
		@Import(Tenants.class)
		static class Application {

		}

		static class Tenants {

			final List<Class<?>> seen = new CopyOnWriteArrayList<>();

			@InformerHandler
			void handle(Tenant tenant) {
				this.seen.add(tenant.getClass());
			}

		}

		@CustomResource(group = "example.com", version = "v1", plural = "tenants")
		static class Tenant implements KubernetesObject {

			@Nullable V1ObjectMeta metadata;

			@Override
			public @Nullable V1ObjectMeta getMetadata() {
				return this.metadata;
			}

			@Override
			public String getApiVersion() {
				return "example.com/v1";
			}

			@Override
			public String getKind() {
				return "Tenant";
			}

		}

	}

}
