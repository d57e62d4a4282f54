/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.testing.PlainObject;
import io.kubernetes.client.openapi.ApiCallback;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.ApisApi;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1APIGroup;
import io.kubernetes.client.openapi.models.V1APIResource;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1GroupVersionForDiscovery;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import okhttp3.Call;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link OfficialModels} and {@link ResourceType}.
 */
class OfficialModelsTests {

	private static final Pattern PATH = Pattern
		.compile("/apis?(?:/(?<group>[^/]+\\.?[^/]*))??/(?<version>v\\d\\w*)(?:/namespaces/[^/]+)?/(?<plural>[^/]+)");

	private static final Pattern CLASS = Pattern.compile("(?:[A-Z][a-z]+)?V\\d+(?:(?:alpha|beta)\\d+)?([A-Z]\\w*)");

	@Test
	void table_matchesListEndpointsOfOfficialClient() throws Exception {
		String expected = tableOfClient();
		Path made = Path.of("target", OfficialModels.TABLE);
		Files.writeString(made, expected);
		assertThat(committedTable())
			.as("the client on the class path has other models: copy %s over the resource", made)
			.isEqualTo(expected);
	}

	@Test
	void of_findsModelsOfAllGroups() {
		assertThat(ResourceType.of(V1Pod.class)).hasToString("pods/v1");
		assertThat(ResourceType.of(V1Pod.class).path("shop")).isEqualTo("/api/v1/namespaces/shop/pods");
		assertThat(ResourceType.of(V1Deployment.class).path(null)).isEqualTo("/apis/apps/v1/deployments");
		assertThat(ResourceType.of(V1Deployment.class).qualifiedName()).isEqualTo("deployments.apps");
		assertThat(ResourceType.of(V1Node.class).namespaced()).isFalse();
		assertThat(ResourceType.of(CoreV1Event.class).kind()).isEqualTo("Event");
	}

	@Test
	void official_prefersStableVersionsAndCoreGroup() {
		assertThat(ResourceType.official().get("pods")).isEqualTo(ResourceType.of(V1Pod.class));
		assertThat(ResourceType.official().get("deployments.apps")).isEqualTo(ResourceType.of(V1Deployment.class));
		assertThat(ResourceType.official().get("events")).isEqualTo(ResourceType.of(CoreV1Event.class));
		assertThat(ResourceType.official().get("horizontalpodautoscalers"))
			.hasToString("horizontalpodautoscalers.autoscaling/v2");
		assertThat(ResourceType.official().get("ipaddresses")).hasToString("ipaddresses.networking.k8s.io/v1");
	}

	@Test
	void official_leavesOutModelsThatTheClientDoesNotHave() throws Exception {
		ClassLoader older = new ClientWithout(V1Deployment.class.getName(),
				"io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler");
		Map<?, ?> resources = (Map<?, ?>) Class.forName(ResourceType.class.getName(), true, older)
			.getMethod("official")
			.invoke(null);
		assertThat(resources.get("pods")).hasToString("pods/v1");
		assertThat(resources.containsKey("deployments")).isFalse();
		assertThat(resources.get("horizontalpodautoscalers")).hasToString("horizontalpodautoscalers.autoscaling/v1");
	}

	@Test
	void of_customResource_takesAnnotation() {
		ResourceType<Tenant> tenants = ResourceType.of(Tenant.class);
		assertThat(tenants.path("a")).isEqualTo("/apis/example.com/v1/namespaces/a/tenants");
		assertThat(tenants.kind()).isEqualTo("Tenant");
		assertThat(tenants.apiVersion()).isEqualTo("example.com/v1");
	}

	@Test
	void of_classWithoutResource_explainsRemedy() {
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceType.of(PlainObject.class))
			.withMessageContaining(PlainObject.class.getName())
			.withMessageContaining("@CustomResource");
	}

	@Test
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void table_matchesDiscoveryOfServer(RealServer server) throws Exception {
		ApiClient client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig())))
			.build();
		Set<String> served = new TreeSet<>();
		new CoreV1Api(client).getAPIResources().execute().getResources().forEach((it) -> note(served, "", "v1", it));
		for (V1APIGroup group : new ApisApi(client).getAPIVersions().execute().getGroups()) {
			for (V1GroupVersionForDiscovery version : group.getVersions()) {
				new CustomObjectsApi(client).getAPIResources(group.getName(), version.getVersion())
					.execute()
					.getResources()
					.forEach((it) -> note(served, group.getName(), version.getVersion(), it));
			}
		}
		Set<String> models = ResourceType.official()
			.values()
			.stream()
			.map((type) -> describe(type.group(), type.version(), type.plural(), type.kind(), type.namespaced()))
			.collect(Collectors.toCollection(TreeSet::new));
		Set<String> agreed = new TreeSet<>(models);
		agreed.retainAll(served);
		assertThat(agreed).hasSizeGreaterThan(50);
		models.removeAll(agreed);
		// what is left are versions that this server does not serve by default, never
		// ones it serves otherwise
		assertThat(models).allSatisfy((model) -> assertThat(served).noneMatch(
				(other) -> other.startsWith(model.substring(0, model.lastIndexOf(' ', model.lastIndexOf(' ') - 1)))));
	}

	private static void note(Set<String> served, String group, String version, V1APIResource resource) {
		if (resource.getVerbs().contains("list")) {
			served.add(describe(group, version, resource.getName(), resource.getKind(), resource.getNamespaced()));
		}
	}

	private static String describe(String group, String version, String plural, String kind, boolean namespaced) {
		return String.join(" ", group, version, plural, kind, Boolean.toString(namespaced));
	}

	private static String committedTable() throws IOException {
		try (var table = Objects.requireNonNull(OfficialModels.class.getResourceAsStream(OfficialModels.TABLE))) {
			return new String(table.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	private static String tableOfClient() throws Exception {
		Map<String, String> rows = new TreeMap<>();
		ApiClient client = new ApiClient().setBasePath("http://localhost");
		for (String api : apiClasses()) {
			Object instance = Class.forName(api).getConstructor(ApiClient.class).newInstance(client);
			for (Method method : instance.getClass().getMethods()) {
				List<Class<?>> parameters = List.of(method.getParameterTypes());
				if (!method.getName().startsWith("list")
						|| !(parameters.isEmpty() || parameters.equals(List.of(String.class)))) {
					continue;
				}
				Object request = parameters.isEmpty() ? method.invoke(instance) : method.invoke(instance, "ns");
				row(request, rows);
			}
		}
		return "model\tgroup\tversion\tplural\tkind\tnamespaced\n" + String.join("\n", rows.values()) + "\n";
	}

	private static List<String> apiClasses() throws Exception {
		Path jar = Path.of(CoreV1Api.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		try (JarFile classes = new JarFile(jar.toFile())) {
			return classes.stream()
				.map((entry) -> entry.getName().replace('/', '.').replaceFirst("\\.class$", ""))
				.filter((name) -> name.matches(Pattern.quote(CoreV1Api.class.getPackageName()) + "\\.\\w+Api"))
				.filter((name) -> !name.endsWith(".CustomObjectsApi"))
				.toList();
		}
	}

	private static void row(Object request, Map<String, String> rows) throws Exception {
		Class<?> list;
		try {
			list = request.getClass().getMethod("execute").getReturnType();
		}
		catch (NoSuchMethodException ex) {
			return;
		}
		if (!list.getSimpleName().endsWith("List") || list.getSimpleName().equals("V1APIResourceList")) {
			return;
		}
		ParameterizedType items = (ParameterizedType) list.getMethod("getItems").getGenericReturnType();
		Class<?> model = (Class<?>) items.getActualTypeArguments()[0];
		Call call = (Call) request.getClass().getMethod("buildCall", ApiCallback.class).invoke(request, (Object) null);
		String encodedPath = call.request().url().encodedPath();
		Matcher path = PATH.matcher(encodedPath);
		Matcher name = CLASS.matcher(model.getSimpleName());
		assertThat(path.matches()).as(encodedPath).isTrue();
		assertThat(name.matches()).as(model.getSimpleName()).isTrue();
		boolean namespaced = encodedPath.contains("/namespaces/");
		String group = (path.group("group") != null) ? path.group("group") : "";
		String prefix = String.join("\t", model.getSimpleName(), group, path.group("version"), path.group("plural"),
				name.group(1));
		rows.merge(model.getSimpleName(), prefix + "\t" + namespaced,
				(one, other) -> one.endsWith("\ttrue") ? one : other);
	}

	@Test
	void objectsOfAnyResource_needTheNameOfTheirs() {
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceType.of(PartialObjectMetadata.class))
			.withMessageContaining("ResourceType.of(V1Pod.class).metadataOnly()");
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceType.of(DynamicKubernetesObject.class))
			.withMessageContaining("ResourceType.named(DynamicKubernetesObject.class, \"tenants.example.com\")");
	}

	@Test
	void invalidAttributeOfCustomResource_isNamed() {
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceType.of(CapitalLetter.class))
			.withMessageContaining("its plural 'Things' is invalid");
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceType.of(GroupInVersion.class))
			.withMessageContaining("its version 'example.com/v1' is invalid");
	}

	@CustomResource(group = "example.com", version = "v1", plural = "Things")
	static class CapitalLetter extends PlainObject {

	}

	@CustomResource(group = "example.com", version = "example.com/v1", plural = "things")
	static class GroupInVersion extends PlainObject {

	}

	@CustomResource(group = "example.com", version = "v1", plural = "tenants")
	static class Tenant extends PlainObject {

	}

	/**
	 * Class loader with its own copy of the core, and without some classes.
	 */
	private static final class ClientWithout extends ClassLoader {

		private final Set<String> missing;

		ClientWithout(String... missing) {
			super(OfficialModelsTests.class.getClassLoader());
			this.missing = Set.of(missing);
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			synchronized (getClassLoadingLock(name)) {
				if (this.missing.contains(name)) {
					throw new ClassNotFoundException(name);
				}
				if (name.startsWith("dev.informer.")) {
					Class<?> loaded = findLoadedClass(name);
					return (loaded != null) ? loaded : define(name);
				}
			}
			return super.loadClass(name, resolve);
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] bytes = Objects.requireNonNull(in).readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

}
