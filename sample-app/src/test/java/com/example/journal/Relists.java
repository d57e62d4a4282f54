package com.example.journal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerListener;
import dev.informer.SharedIndexInformer;

/**
 * Hears why informers list again.
 */
class Relists implements InformerListener {

	private final List<String> relists = new CopyOnWriteArrayList<>();

	@Override
	public void relisting(SharedIndexInformer<?> informer, String namespace, RelistReason reason) {
		this.relists.add(informer.name() + " " + reason);
	}

	List<String> all() {
		return this.relists;
	}

}
