/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.test.ResourceDefinition;
import io.kubernetes.client.openapi.ApiCallback;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import okhttp3.Call;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ResourceTableTests {

	private static final Pattern PATH = Pattern
		.compile("/(?:api|apis/([^/]+))/([^/]+)/(namespaces/ARGUMENT/)?([a-z]+)(/ARGUMENT/status)?");

	private static final Pattern KIND = Pattern.compile("(?:[A-Z][a-z]+)?V[0-9]+(?:(?:alpha|beta)[0-9]+)?(.+)List");

	@Test
	void builtIn_containsEveryResourceOfTheOfficialClient() throws Exception {
		Set<String> listed = new HashSet<>();
		Set<String> namespaced = new HashSet<>();
		Set<String> withStatus = new HashSet<>();
		for (Endpoint endpoint : endpoints()) {
			if (endpoint.path().equals("/api/v1/namespaces/ARGUMENT/status")) {
				withStatus.add("/v1/namespaces");
				continue;
			}
			Matcher path = PATH.matcher(endpoint.path());
			assertThat(path.matches()).as(endpoint.path()).isTrue();
			String group = (path.group(1) != null) ? path.group(1) : "";
			String resource = group + "/" + path.group(2) + "/" + path.group(4);
			if (path.group(5) != null) {
				withStatus.add(resource);
				continue;
			}
			if (path.group(3) != null) {
				namespaced.add(resource);
			}
			Matcher kind = KIND.matcher(endpoint.type());
			assertThat(kind.matches()).as(endpoint.type()).isTrue();
			listed.add(resource + " " + kind.group(1));
		}
		List<ResourceDefinition> table = ResourceTable.builtIn();
		assertThat(table).extracting((definition) -> name(definition) + " " + definition.kind())
			.containsExactlyInAnyOrderElementsOf(listed);
		assertThat(table).filteredOn(ResourceDefinition::namespaced)
			.extracting(ResourceTableTests::name)
			.containsExactlyInAnyOrderElementsOf(namespaced);
		assertThat(table).filteredOn(ResourceDefinition::status)
			.extracting(ResourceTableTests::name)
			.containsExactlyInAnyOrderElementsOf(withStatus);
	}

	@Test
	void named_acceptsAPluralOfOneGroup() {
		ResourceTable table = new ResourceTable();
		assertThat(table.named("deployments").resource()).isEqualTo("deployments.apps");
		assertThat(table.named("events").group()).isEmpty();
		assertThat(table.named("events.events.k8s.io").group()).isEqualTo("events.k8s.io");
	}

	@Test
	void named_unknownResource_hasARemedy() {
		assertThatIllegalArgumentException().isThrownBy(() -> new ResourceTable().named("tenants"))
			.withMessageContaining("Cannot find resource \"tenants\". Add it");
	}

	@Test
	void forKind_unknownKind_hasARemedy() {
		assertThatIllegalArgumentException().isThrownBy(() -> new ResourceTable().forKind("v1", "Tenant"))
			.withMessageContaining("Set the object's apiVersion and kind");
	}

	private static String name(ResourceDefinition definition) {
		return definition.group() + "/" + definition.version() + "/" + definition.plural();
	}

	private static List<Endpoint> endpoints() throws Exception {
		ApiClient client = new ApiClient().setBasePath("http://localhost");
		List<Endpoint> endpoints = new ArrayList<>();
		for (Class<?> api : apis()) {
			Object instance = api.getConstructor(ApiClient.class).newInstance(client);
			for (Method method : api.getDeclaredMethods()) {
				boolean lists = method.getName().startsWith("list");
				boolean replacesStatus = method.getName().matches("replace.*Status");
				if (Modifier.isPublic(method.getModifiers()) && (lists || replacesStatus)
						&& method.getReturnType().getSimpleName().startsWith("API")) {
					endpoints.add(endpoint(instance, method));
				}
			}
		}
		return endpoints;
	}

	private static Endpoint endpoint(Object api, Method method) throws Exception {
		@Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
		for (int i = 0; i < arguments.length; i++) {
			Class<?> type = method.getParameterTypes()[i];
			arguments[i] = (type == String.class) ? "ARGUMENT" : type.getConstructor().newInstance();
		}
		Object request = method.invoke(api, arguments);
		Class<?> type = request.getClass();
		Call call = (Call) type.getMethod("buildCall", ApiCallback.class).invoke(request, (Object) null);
		return new Endpoint(call.request().url().encodedPath(),
				type.getMethod("execute").getReturnType().getSimpleName());
	}

	private static List<Class<?>> apis() throws Exception {
		List<Class<?>> apis = new ArrayList<>();
		File file = new File(CoreV1Api.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		try (JarFile jar = new JarFile(file)) {
			for (JarEntry entry : jar.stream().toList()) {
				if (entry.getName().matches("io/kubernetes/client/openapi/apis/[A-Za-z0-9]+Api\\.class")) {
					apis.add(Class.forName(entry.getName().replace('/', '.').replace(".class", "")));
				}
			}
		}
		apis.remove(CustomObjectsApi.class);
		return apis;
	}

	private record Endpoint(String path, String type) {
	}

}
